import { overdueTopUps, type OverdueTopUp } from '../../../db/ledger/top-up/top-up.reads';
import type { Db } from '../../../db/sql/query';
import { moneyLabel } from '../../../workflows/commerce/order/order-label.rules';
import { topUpProcess } from '../../../workflows/ledger/top-up/top-up.contract';
import { wordsOfStarted, type JobWork } from '../../administration/job/job-work';
import { inGroups } from '../../commerce/webhook/in-groups';
import type { StartProcess } from '../../commerce/webhook/webhook-sweep.activities';

/** Those that are due for less are skipped: their processes are about to cancel them. */
const GRACE_MS = 10 * 60_000;
const BATCH = 200;

/** The last top-up of the batch before, by the order of their payment windows. */
interface Position {
  /** ISO 8601. */
  due: string;
  id: string;
}

/** The safety net under top-ups. */
export const topUpSweepWork =
  ({ longDb: db, start }: { longDb: Db; start: StartProcess }): JobWork =>
  async ({ at }, signal) => {
    const before = new Date(at.getTime() - GRACE_MS);
    let done = 0;
    let after: Position | null = null;
    do {
      signal.throwIfAborted();
      const overdue: OverdueTopUp[] = await overdueTopUps(db, { before, after, limit: BATCH });
      done += await inGroups(overdue, (group) =>
        Promise.allSettled(
          group.map(({ id: topUpId, userId, ...money }) =>
            start(topUpProcess, { topUpId, userId, label: moneyLabel(money), exists: true }),
          ),
        ),
      );
      const last = overdue.length < BATCH ? undefined : overdue.at(-1);
      after = last ? { due: last.due.toISOString(), id: last.id } : null;
    } while (after !== null);
    return { done, words: wordsOfStarted(done) };
  };
