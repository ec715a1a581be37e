import { databaseAnswers } from '../../db/sql/connection';
import { pendingMigrations } from '../../db/schema/migrate';
import type { Db } from '../../db/sql/query';
import type { Processes } from '../http/temporal/temporal';

/** What one part of the whole says of itself. */
type PartState = 'ok' | 'away' | 'behind';

interface Parts {
  database: PartState;
  temporal: PartState;
  migrations: PartState;
}

/** Longest to wait for a part; a probe that hangs is of no use to anyone. */
const PATIENCE_MS = 2_000;
/** How long an answer of the parts holds, so that asking often costs nothing. */
const FRESH_MS = 1_000;

/**
 * Asks every part, each for itself, and never throws. However many ask, the parts are asked once at a time, and at most
 * once in `FRESH_MS`.
 */
export function partsOf(db: Db, processes: Processes): () => Promise<Parts> {
  let asked: Promise<Parts> | null = null;
  return () => {
    asked ??= askParts(db, processes).finally(() => {
      setTimeout(() => (asked = null), FRESH_MS).unref();
    });
    return asked;
  };
}

async function askParts(db: Db, processes: Processes): Promise<Parts> {
  const [database, temporal, migrations] = await Promise.all([
    inTime(databaseAnswers(db).then((answers): PartState => (answers ? 'ok' : 'away'))),
    inTime(processes.answers().then((answers): PartState => (answers ? 'ok' : 'away'))),
    inTime(pendingMigrations(db).then((pending): PartState => (pending.length === 0 ? 'ok' : 'behind'))),
  ]);
  return { database, temporal, migrations };
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
