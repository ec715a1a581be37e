import { v7 } from 'uuid';
import { restock, sellStock } from '../../../db/catalog/stock/stock.transitions';
import { violates } from '../../../db/sql/errors';
import { execute, firstRow, rows } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { given } from '../../support/builders/given';
import type { MadeOrder } from '../../support/builders/given/steps';
import { make } from '../../support/builders/make';
import { insert } from '../../support/builders/make/insert';
import { approve, deliveredOrder, requestRefund } from '../../support/builders/refunding';
import { violations } from '../../support/checks/violations';
import { ownDatabase } from '../../support/servers/database';

const own = ownDatabase();
afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

const at = new Date().toISOString();

interface Causes {
  order_id?: string;
  refund_request_id?: string;
  counted_by?: string;
}

/** Writes a movement of one unit as nothing but SQL does. */
const move = (stockItemId: string, kind: string, causes: Causes): Promise<void> =>
  insert(own.db, 'stock_movements', {
    ...{ id: v7(), stock_item_id: stockItemId, kind, available_delta: 1, reserved_delta: 0 },
    ...{ ...causes, created_at: at },
  });

describe('the database refuses a movement', () => {
  let order: MadeOrder & { refundRequestId: string };
  let countedBy: string;
  beforeAll(async () => {
    order = await deliveredOrder(own.db).refundRequested();
    countedBy = (await make.admin(own.db)).id;
  });

  const of = {
    nothing: (): Causes => ({}),
    anOrder: (): Causes => ({ order_id: order.orderId }),
    aRefund: (): Causes => ({ order_id: order.orderId, refund_request_id: order.refundRequestId }),
    aRefundOfNoOrder: (): Causes => ({ refund_request_id: order.refundRequestId }),
    aCounter: (): Causes => ({ counted_by: countedBy }),
    aCounterAndAnOrder: (): Causes => ({ counted_by: countedBy, order_id: order.orderId }),
  };
  test.each<[kind: string, of: keyof typeof of]>([
    ...(['INITIAL', 'ADJUST'] as const).flatMap((kind): [string, keyof typeof of][] => [
      [kind, 'anOrder'],
      [kind, 'aRefund'],
      [kind, 'aRefundOfNoOrder'],
      [kind, 'aCounterAndAnOrder'],
    ]),
    ...(['RESERVE', 'RELEASE', 'SELL'] as const).flatMap((kind): [string, keyof typeof of][] => [
      [kind, 'nothing'],
      [kind, 'aRefund'],
      [kind, 'aRefundOfNoOrder'],
      [kind, 'aCounter'],
      [kind, 'aCounterAndAnOrder'],
    ]),
    ['RESTOCK', 'nothing'],
    ['RESTOCK', 'aRefundOfNoOrder'],
    ['RESTOCK', 'aCounter'],
    ['RESTOCK', 'aCounterAndAnOrder'],
  ])('%s of %s', async (kind, causes) => {
    await expect(move(order.stockItemId, kind, of[causes]())).rejects.toThrow('stock_movements_cause_check');
  });

  test('of an order that is not there, at the commit', async () => {
    const sold = inTransaction(own.db, async (tx) => {
      await restock(tx, [{ stockItemId: order.stockItemId, quantity: 1 }], { orderId: v7() }, at);
    });
    await expect(sold).rejects.toThrow('stock_movements_order_fkey');
  });

  test('by a refund that is not there, or is of another order', async () => {
    const { orderId } = await given(own.db).order();
    const { refundRequestId } = order;
    for (const wrong of [
      { order_id: order.orderId, refund_request_id: v7() },
      { order_id: orderId, refund_request_id: refundRequestId },
    ])
      await expect(move(order.stockItemId, 'RESTOCK', wrong)).rejects.toThrow('stock_movements_refund_fkey');
  });

  test('by an administrator who is not there', async () => {
    const counted = move(order.stockItemId, 'ADJUST', { counted_by: v7() });
    await expect(counted).rejects.toThrow('stock_movements_counted_by_fkey');
  });

  test('of an event that has moved these goods already', async () => {
    const again = move(order.stockItemId, 'SELL', { order_id: order.orderId });
    expect(await again.catch((error: unknown) => violates(error, 'stock_movements_order_key'))).toBe(true);
  });

  test('that is changed or deleted', async () => {
    for (const statement of ['UPDATE stock_movements SET order_id = NULL', 'DELETE FROM stock_movements'])
      await expect(execute(own.db, statement)).rejects.toThrow('stock_movements');
  });
});

test('two refunds of an order each restock their goods', async () => {
  const order = await deliveredOrder(own.db, { method: 'BALANCE' });
  const [item] = order.items;
  for (let time = 0; time < 2; time++) {
    const items = [{ itemId: item!.id, quantity: 1 }];
    await approve(own.db, await requestRefund(own.db, order, { items }), { restock: true });
  }
  const restocked = await rows<{ requests: number; units: number }>(
    own.db,
    `SELECT count(DISTINCT refund_request_id)::int AS requests, sum(available_delta)::int AS units
     FROM stock_movements WHERE order_id = $1 AND kind = 'RESTOCK'`,
    [order.orderId],
  );
  expect(restocked).toEqual([{ requests: 2, units: 2 }]);
});

test('a movement that is repeated in one transaction or another moves nothing', async () => {
  const order = await given(own.db).order().paid();
  const stock = () =>
    firstRow(own.db, 'SELECT available, reserved FROM stock_items WHERE id = $1', [order.stockItemId]);
  const before = await stock();
  const amounts = [{ stockItemId: order.stockItemId, quantity: 2 }];
  for (let time = 0; time < 2; time++)
    await inTransaction(own.db, (tx) => sellStock(tx, amounts, { orderId: order.orderId }, at));
  expect(await stock()).toEqual(before);
});
