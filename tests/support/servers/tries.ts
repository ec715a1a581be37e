import { isContention } from '../../../db/sql/errors';
import { rows, type Db, type Watch } from '../../../db/sql/query';

/** A database that counts failed transactions, so that no test passes because `inTransaction` tried again. */
export interface CountedDb {
  readonly db: Db;
  /** Transactions that a deadlock or a serialisation failure ended. */
  readonly contended: () => number;
}

export function countingTries(db: Db): CountedDb {
  let contended = 0;
  const watch: Watch = async (statement, run) => {
    try {
      return await run();
    } catch (error) {
      if (statement === 'TRANSACTION' && isContention(error)) contended++;
      throw error;
    }
  };
  return { db: { ...db, watch }, contended: () => contended };
}

/** Opens connections beforehand, so that steps that begin at once also run at once. */
export async function warmPool(db: Db, connections = 12): Promise<void> {
  await Promise.all(Array.from({ length: connections }, () => rows(db, 'SELECT pg_sleep(0.1)')));
}
