import { databaseAnswers } from '../../db/connection';
import { pendingMigrations } from '../../db/migrate';
import type { Db } from '../../db/sql';
import type { Processes } from '../http/temporal';

/** What one part of the whole says of itself. */
type PartState = 'ok' | 'away' | 'behind';

interface Readiness {
  status: 'ready' | 'not ready' | 'stopping';
  parts: { database: PartState; temporal: PartState; migrations: PartState };
}

/** Longest to wait for a part; a probe that hangs is of no use to anyone. */
const PATIENCE_MS = 2_000;

/** Asks every part, each for itself. Never throws. */
export async function readiness(db: Db, processes: Processes, stopping: boolean): Promise<Readiness> {
  const [database, temporal, migrations] = await Promise.all([
    inTime(databaseAnswers(db).then((answers): PartState => (answers ? 'ok' : 'away'))),
    inTime(processes.answers().then((answers): PartState => (answers ? 'ok' : 'away'))),
    inTime(pendingMigrations(db).then((pending): PartState => (pending.length === 0 ? 'ok' : 'behind'))),
  ]);
  const parts = { database, temporal, migrations };
  const well = Object.values(parts).every((state) => state === 'ok');
  return { status: stopping ? 'stopping' : well ? 'ready' : 'not ready', parts };
}

async function inTime(asked: Promise<PartState>): Promise<PartState> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<PartState>((resolve) => {
    timer = setTimeout(() => resolve('away'), PATIENCE_MS);
  });
  try {
    return await Promise.race([asked, tooLate]);
  } catch {
    return 'away';
  } finally {
    clearTimeout(timer);
  }
}
