import { moveOrder } from '../../../db/commerce/order/order.transitions';
import type { Policy } from '../../../db/policy/config';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type { FulfilmentActivities } from '../../../workflows/commerce/order/fulfilment.contract';
import { deadlineOf, deliverInTimeIn } from './fulfilment-deadline';
import { moveOrderIn } from './move-order';
import { orderActivities } from './order.activities';
import { requireOrder, standingOf } from './place-order';

export const fulfilmentActivities = ({ db, policy }: { db: Db; policy: Policy }): FulfilmentActivities => ({
  ...orderActivities({ db }),

  beginProcessing: ({ orderId, at }) =>
    inTransaction(db, async (tx) => {
      const order = await requireOrder(tx, orderId);
      if (order.status !== 'PAID') return standingOf(order);
      await moveOrder(tx, order, { to: 'PROCESSING', note: null, by: null, at });
      return { ...standingOf(order), status: 'PROCESSING' as const };
    }),

  fulfilmentDeadline: (order) => deadlineOf(db, policy, order),

  deliverInTime: (order) => inTransaction(db, (tx) => deliverInTimeIn(tx, policy, order)),

  moveOrder: (move) => inTransaction(db, (tx) => moveOrderIn(tx, move)),
});
