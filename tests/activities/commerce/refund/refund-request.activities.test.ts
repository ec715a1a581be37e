import { v7 } from 'uuid';
import { violations } from '../../../support/checks/violations';
import { ownDatabase } from '../../../support/servers/database';
import { shippedOrder } from '../../../support/builders/delivering';
import { make } from '../../../support/builders/make';
import { orderSteps, paidOrder } from '../../../support/builders/ordering';
import { approve, arrived, askBack, reject, type Arrived } from '../../../support/builders/refunding';

const own = ownDatabase();
afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

const later = (days: number): string => new Date(Date.now() + days * 24 * 3_600_000).toISOString();
const tax = { taxBp: 1_900, discountBp: 1_000 };

describe('requestRefund', () => {
  test('of everything: the goods as paid for, their tax, and the shipping with its tax', async () => {
    const order = await arrived(own.db, tax);
    const asked = await askBack(own.db, order);
    expect(asked).toMatchObject({ requestedMinor: order.totalMinor, currency: 'USD' });
    expect(asked.items).toEqual([{ itemId: order.items[0]!.id, quantity: 2, amountMinor: 5_355 }]);
  });

  test('of one unit: no shipping', async () => {
    const order = await arrived(own.db, tax);
    const items = [{ itemId: order.items[0]!.id, quantity: 1 }];
    expect((await askBack(own.db, order, { items })).requestedMinor).toBe(2_678);
  });

  test('twice: the first answer again, and one request', async () => {
    const order = await arrived(own.db);
    const refundRequestId = v7();
    const first = await askBack(own.db, order, { refundRequestId });
    expect(await askBack(own.db, order, { refundRequestId, at: later(1) })).toEqual(first);
  });

  test('of goods that are still on their way', async () => {
    const order = await shippedOrder(own.db);
    expect((await askBack(own.db, order)).requestedMinor).toBe(5_000);
  });

  test('of another: refused', async () => {
    const order = await arrived(own.db);
    const { id: userId } = await make.buyer(own.db);
    await expect(askBack(own.db, { ...order, userId })).rejects.toMatchObject({ type: 'ORDER_NOT_FOUND' });
  });

  test('before the parcel has left: refused; after fourteen days: too late', async () => {
    await expect(askBack(own.db, await paidOrder(own.db))).rejects.toMatchObject({ type: 'CANNOT_REFUND' });
    const order = await arrived(own.db);
    await expect(askBack(own.db, order, { at: later(15) })).rejects.toMatchObject({
      type: 'REFUND_PERIOD_EXPIRED',
    });
    expect((await askBack(own.db, order, { at: later(13) })).requestedMinor).toBe(order.totalMinor);
  });

  test('while one is open, and when nothing is left: refused', async () => {
    const order = await arrived(own.db, { method: 'BALANCE' });
    const asked = await askBack(own.db, order);
    await expect(askBack(own.db, order)).rejects.toMatchObject({ type: 'REFUND_ALREADY_REQUESTED' });
    await approve(own.db, asked, { amountMinor: 1 });
    await expect(askBack(own.db, order)).rejects.toMatchObject({ type: 'CANNOT_REFUND' });
  });

  test('of goods that cost nothing: refused', async () => {
    const lines = [
      { priceMinor: 0, quantity: 1 },
      { priceMinor: 100, quantity: 1 },
    ];
    const order = await arrived(own.db, { lines });
    await expect(askBack(own.db, order, { itemIds: [order.items[0]!.id] })).rejects.toMatchObject({
      type: 'CANNOT_REFUND',
    });
  });

  test.each([
    ['an item of another order', (): object => ({ itemIds: [v7()] }), 'itemIds.0'],
    ['an item named twice', ({ items: [item] }: Arrived) => ({ itemIds: [item!.id, item!.id] }), 'itemIds.1'],
    [
      'an item named in both lists',
      ({ items: [item] }: Arrived) => ({ itemIds: [item!.id], items: [{ itemId: item!.id, quantity: 1 }] }),
      'items.0.itemId',
    ],
    [
      'more units than there are',
      ({ items: [item] }: Arrived) => ({ items: [{ itemId: item!.id, quantity: 3 }] }),
      'items.0.quantity',
    ],
  ])('of %s: refused by name', async (_, command, field) => {
    const order = await arrived(own.db);
    const refused = askBack(own.db, order, command(order));
    await expect(refused).rejects.toMatchObject({
      type: 'VALIDATION_ERROR',
      details: [{ [field]: [expect.any(String)] }],
    });
  });

  test('of goods that were given back before: refused; goods that were turned down can be requested again', async () => {
    const lines = [
      { priceMinor: 1_000, quantity: 1 },
      { priceMinor: 2_000, quantity: 1 },
    ];
    const order = await arrived(own.db, { lines, method: 'BALANCE' });
    const itemIds = [order.items[0]!.id];
    await approve(own.db, await askBack(own.db, order, { itemIds }));
    await expect(askBack(own.db, order, { itemIds })).rejects.toMatchObject({ type: 'VALIDATION_ERROR' });
    const rest = await askBack(own.db, order);
    expect(rest.items.map(({ itemId }) => itemId)).toEqual([order.items[1]!.id]);
    await reject(own.db, rest);
    expect((await askBack(own.db, order)).requestedMinor).toBe(2_500);
  });
});

test('what is not there does not stand', async () => {
  expect(await orderSteps(own.db).refundStanding({ refundRequestId: v7() })).toBeNull();
});
