import {
  overdueInvestments,
  type OverdueInvestment,
} from '../../../db/investment/participation-administration/overdue.reads';
import type { Db } from '../../../db/sql/query';
import { moneyLabel } from '../../../workflows/commerce/order/order-label.rules';
import { participationProcess } from '../../../workflows/investment/participation/participation.contract';
import { withdrawalProcess } from '../../../workflows/investment/withdrawal/withdrawal.contract';
import { wordsOfStarted, type JobWork } from '../../administration/job/job-work';
import { startForgottenPayouts } from '../../commerce/payout/start-forgotten-payouts';
import { startForgottenRefunds } from '../../commerce/refund/start-forgotten-refunds';
import { startInPages } from '../../commerce/webhook/start-in-pages';
import type { StartProcess } from '../../commerce/webhook/webhook-sweep.activities';

/** Those that are due for less are skipped: their processes are about to move them on. */
const GRACE_MS = 10 * 60_000;

/** The safety net under participations, whose processes may wait for years, and under money on its way out. */
export const investmentSweepWork =
  ({ longDb: db, start }: { longDb: Db; start: StartProcess }): JobWork =>
  async ({ at }, signal) => {
    const before = new Date(at.getTime() - GRACE_MS);
    let done = await startInPages<OverdueInvestment>(
      {
        read: (page) => overdueInvestments(db, { ...page, before }),
        start: (one) => startProcessOf(start, one),
      },
      signal,
    );
    done += await startForgottenPayouts({ db, start, signal }, before);
    done += await startForgottenRefunds({ db, start, signal }, before);
    return { done, words: wordsOfStarted(done) };
  };

function startProcessOf(
  start: StartProcess,
  { withdrawalId, participationId, userId, ...money }: OverdueInvestment,
) {
  const input = { participationId, userId, label: moneyLabel(money), exists: true } as const;
  return withdrawalId === null
    ? start(participationProcess, input)
    : start(withdrawalProcess, { ...input, withdrawalId });
}
