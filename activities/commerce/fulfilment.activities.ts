import { moveOrder } from '../../db/commerce/order.transitions';
import type { Db } from '../../db/sql';
import { inTransaction } from '../../db/transaction';
import type { FulfilmentActivities } from '../../workflows/commerce/fulfilment.contract';
import { moveOrderIn } from './move-order';
import { orderActivities } from './order.activities';
import { requireOrder } from './place-order';

export const fulfilmentActivities = ({ db }: { db: Db }): FulfilmentActivities => ({
  ...orderActivities({ db }),

  beginProcessing: ({ orderId, at }) =>
    inTransaction(db, async (tx) => {
      const order = await requireOrder(tx, orderId);
      if (order.status !== 'PAID') return { status: order.status, payBy: order.payBy };
      await moveOrder(tx, order, { to: 'PROCESSING', note: null, by: null, at });
      return { status: 'PROCESSING' as const, payBy: order.payBy };
    }),

  moveOrder: (move) => inTransaction(db, (tx) => moveOrderIn(tx, move)),
});
