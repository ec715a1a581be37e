import {
  overdueInvestments,
  type OverdueInvestment,
} from '../../../db/investment/participation-administration/overdue.reads';
import type { Db } from '../../../db/sql/query';
import { moneyLabel } from '../../../workflows/commerce/order/order-label.rules';
import { participationProcess } from '../../../workflows/investment/participation/participation.contract';
import type { InvestmentSweepActivities } from '../../../workflows/investment/sweep/investment-sweep.contract';
import { withdrawalProcess } from '../../../workflows/investment/withdrawal/withdrawal.contract';
import { startForgottenPayouts } from '../../commerce/payout/start-forgotten-payouts';
import { startForgottenRefunds } from '../../commerce/refund/start-forgotten-refunds';
import { inGroups } from '../../commerce/webhook/in-groups';
import type { StartProcess } from '../../commerce/webhook/webhook-sweep.activities';

/** Those that are due for less are skipped: their processes are about to move them on. */
const GRACE_MS = 10 * 60_000;
const BATCH = 200;

/** The safety net under participations, whose processes may wait for years, and under money on its way out. */
export const investmentSweepActivities = ({
  db,
  start,
}: {
  db: Db;
  start: StartProcess;
}): InvestmentSweepActivities => ({
  async startForgottenInvestments({ at, after }) {
    const before = new Date(Date.parse(at) - GRACE_MS);
    const overdue = await overdueInvestments(db, { before, after, limit: BATCH });
    const started = await inGroups(overdue, (group) =>
      Promise.allSettled(group.map((one) => startProcessOf(start, one))),
    );
    const money = after === null ? await startForgottenMoney({ db, start }, before) : 0;
    const last = overdue.length < BATCH ? undefined : overdue.at(-1);
    return { started: started + money, after: last ? { due: last.due.toISOString(), id: last.id } : null };
  },
});

/** Money on its way out that is not of investments. */
const startForgottenMoney = async (deps: { db: Db; start: StartProcess }, before: Date): Promise<number> =>
  (await startForgottenPayouts(deps, before)) + (await startForgottenRefunds(deps, before));

function startProcessOf(
  start: StartProcess,
  { withdrawalId, participationId, userId, ...money }: OverdueInvestment,
) {
  const input = { participationId, userId, label: moneyLabel(money), exists: true } as const;
  return withdrawalId === null
    ? start(participationProcess, input)
    : start(withdrawalProcess, { ...input, withdrawalId });
}
