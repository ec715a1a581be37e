import { Transaction } from 'sequelize';
import { execute, firstRow, watched, type Db, type Tx } from './query';

/** Limit of a statement of long work, below the limit of its activity, which is an hour. */
export const LONG_STATEMENT_MS = 50 * 60_000;
/** The cancellation is repeated, since the next statement may have begun meanwhile. */
const CANCEL_EVERY_MS = 250;

/**
 * Runs long work in one transaction that sees the database as of its first statement, or with `readsCommitted` each
 * statement as of its own start; it waits for locks as long as a statement may run, `statementMs`. An aborted signal cancels the
 * running statement at the server and rolls the transaction back; the promise then rejects. `db` must come from
 * `connectForLongWork`.
 */
export async function inLongTransaction<Result>(
  db: Db,
  signal: AbortSignal,
  work: (tx: Tx) => Promise<Result>,
  { readOnly = false, readsCommitted = false, statementMs = LONG_STATEMENT_MS } = {},
): Promise<Result> {
  signal.throwIfAborted();
  return watched(db, 'TRANSACTION', () =>
    db.sequelize.transaction(
      { isolationLevel: Transaction.ISOLATION_LEVELS[readsCommitted ? 'READ_COMMITTED' : 'REPEATABLE_READ'] },
      async (transaction) => {
        const tx = { ...db, transaction };
        if (readOnly) await execute(tx, 'SET TRANSACTION READ ONLY');
        await execute(tx, `SET LOCAL statement_timeout = ${statementMs}`);
        await execute(tx, `SET LOCAL lock_timeout = ${statementMs}`);
        const cancelling = cancelWhenAborted(db, await backendOf(tx), signal);
        try {
          const result = await work(tx);
          signal.throwIfAborted();
          return result;
        } finally {
          await cancelling.stop();
        }
      },
    ),
  );
}

/** Allows the statements of a batch more time than those of a step have. */
export async function allowLongBatch(tx: Tx): Promise<void> {
  await execute(tx, `SET LOCAL statement_timeout = '5min'`);
  await execute(tx, `SET LOCAL lock_timeout = '30s'`);
}

async function backendOf(tx: Tx): Promise<number> {
  const found = await firstRow<{ pid: number }>(tx, 'SELECT pg_backend_pid() AS pid');
  if (!found) throw new Error('PostgreSQL did not name its process.');
  return found.pid;
}

/** Cancels statements of this backend from the abort until `stop`, which waits for a running cancellation. */
function cancelWhenAborted(db: Db, pid: number, signal: AbortSignal): { stop: () => Promise<void> } {
  let underWay: Promise<unknown> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const cancel = (): void => {
    // A connection that is lost takes its statement with it, so a failure changes nothing.
    underWay = underWay.then(() => execute(db, 'SELECT pg_cancel_backend($1)', [pid])).catch(() => undefined);
  };
  const begin = (): void => {
    cancel();
    timer = setInterval(cancel, CANCEL_EVERY_MS);
  };
  signal.addEventListener('abort', begin, { once: true });
  if (signal.aborted) begin();
  return {
    async stop() {
      signal.removeEventListener('abort', begin);
      clearInterval(timer);
      await underWay;
    },
  };
}
