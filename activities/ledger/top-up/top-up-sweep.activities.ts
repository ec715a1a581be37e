import { overdueTopUps } from '../../../db/ledger/top-up/top-up.reads';
import type { Db } from '../../../db/sql/query';
import { moneyLabel } from '../../../workflows/commerce/order/order-label.rules';
import { topUpProcess } from '../../../workflows/ledger/top-up/top-up.contract';
import type { TopUpSweepActivities } from '../../../workflows/ledger/top-up/top-up-sweep.contract';
import { inGroups } from '../../commerce/webhook/in-groups';
import type { StartProcess } from '../../commerce/webhook/webhook-sweep.activities';

/** Those that are due for less are skipped: their processes are about to cancel them. */
const GRACE_MS = 10 * 60_000;
const BATCH = 200;

/** The safety net under top-ups. */
export const topUpSweepActivities = ({
  db,
  start,
}: {
  db: Db;
  start: StartProcess;
}): TopUpSweepActivities => ({
  async startForgottenTopUps({ at, after }) {
    const before = new Date(Date.parse(at) - GRACE_MS);
    const overdue = await overdueTopUps(db, { before, after, limit: BATCH });
    const started = await inGroups(overdue, (group) =>
      Promise.allSettled(
        group.map(({ id: topUpId, userId, ...money }) =>
          start(topUpProcess, { topUpId, userId, label: moneyLabel(money), exists: true }),
        ),
      ),
    );
    const last = overdue.length < BATCH ? undefined : overdue.at(-1);
    return { started, after: last ? { due: last.due.toISOString(), id: last.id } : null };
  },
});
