import { databaseAnswers } from '../../db/sql/connection';
import { pendingMigrations } from '../../db/schema/migrate';
import type { Db } from '../../db/sql/query';
import type { Processes } from '../http/temporal/temporal';
import { stretched } from '../../workflows/kit/limits/slowness';

/** The state of one part of the platform. */
type PartState = 'ok' | 'away' | 'behind';

interface Parts {
  database: PartState;
  temporal: PartState;
  migrations: PartState;
}

/** Longest wait for a part; after it the part counts as `away`. */
const TIMEOUT_MS = 2_000;
/** The time for which a result is reused, so that frequent probes cost nothing. */
const FRESH_MS = 1_000;

/**
 * Returns a probe of all parts that never throws. Concurrent calls share one probe, and there is at most one in
 * `FRESH_MS`.
 */
export function partsProbe(db: Db, processes: Processes): () => Promise<Parts> {
  let probe: Promise<Parts> | null = null;
  return () => {
    probe ??= probeParts(db, processes).finally(() => {
      setTimeout(() => (probe = null), FRESH_MS).unref();
    });
    return probe;
  };
}

async function probeParts(db: Db, processes: Processes): Promise<Parts> {
  const [database, temporal, migrations] = await Promise.all([
    orAway(databaseAnswers(db).then((answers): PartState => (answers ? 'ok' : 'away'))),
    orAway(processes.isReachable().then((answers): PartState => (answers ? 'ok' : 'away'))),
    orAway(pendingMigrations(db).then((pending): PartState => (pending.length === 0 ? 'ok' : 'behind'))),
  ]);
  return { database, temporal, migrations };
}

/** The state of a part; `away` if its probe fails or takes too long. */
async function orAway(probe: Promise<PartState>): Promise<PartState> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<PartState>((resolve) => {
    timer = setTimeout(() => resolve('away'), stretched(TIMEOUT_MS));
  });
  try {
    return await Promise.race([probe, timeout]);
  } catch {
    return 'away';
  } finally {
    clearTimeout(timer);
  }
}
