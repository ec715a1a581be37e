import { rows } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import { ownStore } from '../store';

const store = ownStore();

test('20 at once of the same goods make one line with all of them', async () => {
  const buyer = await make.buyer(store.db);
  const lamp = await make.product(store.db, { stock: 20 });
  const adds = await atOnce(20, () =>
    store.as(buyer).post('/cart/items', { productId: lamp.id, quantity: 1 }),
  );
  expect(adds.map((add) => add.status)).toEqual(Array(20).fill(201));
  expect(adds.map((add) => add.body.data.quantity).sort((a, b) => a - b)).toEqual(
    Array.from({ length: 20 }, (_, i) => i + 1),
  );
  expect(await lines(buyer.id)).toMatchObject([{ quantity: 20 }]);
});

test('20 at once of goods with a stock of 7, and of goods limited to 7 a line: 7 are added, 13 refused', async () => {
  const scarce = await make.product(store.db, { stock: 7 });
  const limited = await make.product(store.db, { stock: null, maxPerLine: 7 });
  for (const [goods, why] of [
    [scarce, 'INSUFFICIENT_STOCK'],
    [limited, 'MAX_QUANTITY_EXCEEDED'],
  ] as const) {
    const buyer = await make.buyer(store.db);
    const adds = await atOnce(20, () =>
      store.as(buyer).post('/cart/items', { productId: goods.id, quantity: 1 }),
    );
    expect(adds.filter((add) => add.status === 201)).toHaveLength(7);
    expect(adds.filter((add) => add.status === 400 && add.body.error.code === why)).toHaveLength(13);
    expect(await lines(buyer.id)).toMatchObject([{ quantity: 7 }]);
  }
});

const atOnce = <T>(times: number, act: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: times }, act));

const lines = (userId: string) =>
  rows<{ quantity: number }>(
    store.db,
    `SELECT quantity FROM cart_items i JOIN carts c ON c.id = i.cart_id WHERE c.user_id = $1`,
    [userId],
  );
