import { lockOrder } from '../../../db/commerce/order/order.transitions';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type { OrderActivities } from '../../../workflows/commerce/order/order.contract';
import { cancelOrder, refundsDue } from './cancel-order';
import { orderStateWithPages } from './require-order';

/** The steps that both processes of an order use. */
export const orderActivities = ({ db }: { db: Db }): OrderActivities => ({
  orderStanding: ({ orderId }) =>
    inTransaction(db, async (tx) => {
      const order = await lockOrder(tx, orderId);
      return order && orderStateWithPages(tx, order);
    }),

  cancelOrder: (command) => cancelOrder(db, command),

  refundsDue: ({ orderId }) => inTransaction(db, (tx) => refundsDue(tx, orderId)),
});
