import { lockOrder } from '../../../db/commerce/order/order.transitions';
import { inTransaction } from '../../../db/sql/transaction';
import type { OrderActivities } from '../../../workflows/commerce/order/order.contract';
import type { DbDeps, UseCases } from '../../steps';
import { cancelOrder, refundsDue } from './cancel-order';
import { orderStateWithPages } from './require-order';

/** The steps that both processes of an order use. */
export const orderUseCases: UseCases<OrderActivities, DbDeps> = {
  orderState: ({ db }, { orderId }) =>
    inTransaction(db, async (tx) => {
      const order = await lockOrder(tx, orderId);
      return order && orderStateWithPages(tx, order);
    }),
  cancelOrder,
  refundsDue: ({ db }, { orderId }) => inTransaction(db, (tx) => refundsDue(tx, orderId)),
};
