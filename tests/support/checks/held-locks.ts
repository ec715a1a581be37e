import { execute, firstRow, type Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { eventually } from './eventually';

/** Runs a statement in a transaction that keeps its locks until it is released. */
export async function held(db: Db, statement: string): Promise<{ release: () => Promise<void> }> {
  let open = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    open = resolve;
  });
  let done: Promise<void> = Promise.resolve();
  await new Promise<void>((ready, fail) => {
    done = inTransaction(db, async (tx) => {
      await execute(tx, statement);
      ready();
      await released;
    });
    done.catch(fail);
  });
  return {
    async release() {
      open();
      await done;
    },
  };
}

/** Resolves as soon as this number of statements of the database wait for a lock. */
export const waiting = (db: Db, count: number): Promise<void> =>
  eventually(async () => {
    const found = await firstRow<{ n: number }>(
      db,
      `SELECT count(*)::int AS n FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    expect(found!.n).toBe(count);
  });
