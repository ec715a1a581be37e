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
import { inGroups } from '../../commerce/webhook/in-groups';
import type { StartProcess } from '../../commerce/webhook/webhook-sweep.activities';

/** Those that are due for less are skipped: their processes are about to move them on. */
const GRACE_MS = 10 * 60_000;
const BATCH = 200;

/** The last participation or withdrawal of the batch before, by the order of their moments. */
interface Position {
  /** ISO 8601. */
  due: string;
  id: string;
}

/** The safety net under participations, whose processes may wait for years, and under money on its way out. */
export const investmentSweepWork =
  ({ longDb: db, start }: { longDb: Db; start: StartProcess }): JobWork =>
  async ({ at }, signal) => {
    const before = new Date(at.getTime() - GRACE_MS);
    let done = 0;
    let after: Position | null = null;
    do {
      signal.throwIfAborted();
      const overdue: OverdueInvestment[] = await overdueInvestments(db, { before, after, limit: BATCH });
      done += await inGroups(overdue, (group) =>
        Promise.allSettled(group.map((one) => startProcessOf(start, one))),
      );
      const last = overdue.length < BATCH ? undefined : overdue.at(-1);
      after = last ? { due: last.due.toISOString(), id: last.id } : null;
    } while (after !== null);
    done += await startForgottenPayouts({ db, start }, before);
    done += await startForgottenRefunds({ db, start }, before);
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
