import { overdueTopUps, type OverdueTopUp } from '../../../db/ledger/top-up/top-up.reads';
import type { Db } from '../../../db/sql/query';
import { moneyLabel } from '../../../workflows/commerce/order/order-label.rules';
import { topUpProcess } from '../../../workflows/ledger/top-up/top-up.contract';
import { wordsOfStarted, type JobWork } from '../../administration/job/job-work';
import { startInPages } from '../../commerce/webhook/start-in-pages';
import type { StartProcess } from '../../commerce/webhook/webhook-sweep.activities';

/** Those that are due for less are skipped: their processes are about to cancel them. */
const GRACE_MS = 10 * 60_000;

/** The safety net under top-ups. */
export const topUpSweepWork =
  ({ longDb: db, start }: { longDb: Db; start: StartProcess }): JobWork =>
  async ({ at }, signal) => {
    const before = new Date(at.getTime() - GRACE_MS);
    const done = await startInPages<OverdueTopUp>(
      {
        read: (page) => overdueTopUps(db, { ...page, before }),
        start: ({ id: topUpId, userId, ...money }) =>
          start(topUpProcess, { topUpId, userId, label: moneyLabel(money), exists: true }),
      },
      signal,
    );
    return { done, words: wordsOfStarted(done) };
  };
