import { allowLongBatch } from '../../../db/sql/long-transaction';
import { completePoolRun, payingRun, payShares } from '../../../db/partners/pool/pool-pay.transitions';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { queuePoolMails } from './queue-pool-mails';

/**
 * Pays the shares of a run that are not paid, so many in one transaction, and completes the run. What was paid stays paid
 * when it is interrupted, and is not paid again.
 */
export async function payPool(
  { db, signal, batch }: { db: Db; signal: AbortSignal; batch: number },
  runId: string,
): Promise<void> {
  const run = await payingRun(db, runId);
  if (!run) return;
  for (let paid = batch; paid > 0;) {
    signal.throwIfAborted();
    paid = await inTransaction(db, async (tx) => {
      await allowLongBatch(tx);
      const shares = await payShares(tx, run, batch, new Date());
      signal.throwIfAborted();
      await queuePoolMails(tx, run, shares);
      return shares.length;
    });
  }
  await inTransaction(db, (tx) => completePoolRun(tx, runId, new Date()));
}
