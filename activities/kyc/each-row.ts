import { log } from '@temporalio/activity';
import { firstRow, type Db } from '../../db/sql/query';

/**
 * Does the same for each of these rows, by id, and goes on past one that fails, which is logged; returns the ids of those.
 * Throws if the signal is aborted or the database is away, since then the next ones would fail as well.
 */
export async function eachRow<Row>(
  rows: readonly Row[],
  { db, idOf, signal }: { db: Db; idOf: (row: Row) => string; signal: AbortSignal | undefined },
  work: (row: Row) => Promise<void>,
): Promise<string[]> {
  const failed: string[] = [];
  for (const row of rows) {
    signal?.throwIfAborted();
    try {
      await work(row);
    } catch (error) {
      signal?.throwIfAborted();
      await firstRow(db, 'SELECT 1 AS one');
      log.error('one verification failed; the others go on', { kycId: idOf(row), error });
      failed.push(idOf(row));
    }
  }
  return failed;
}
