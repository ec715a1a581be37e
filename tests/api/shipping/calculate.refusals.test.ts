import { v7 } from 'uuid';
import { execute } from '../../../db/sql/query';
import { make } from '../../support/builders/make';
import { ownStore } from '../cart/store';
import { berlin, sized } from './parcels';

const store = ownStore();
beforeAll(() => make.shippingMethod(store.db, { countries: ['DE', 'AT'] }));

const calculate = (body: object, who: Parameters<typeof store.as>[0] = null) =>
  store.as(who).post('/shipping/calculate', body);

test('400 INVALID_DESTINATION where nothing is sent, or for a postal code that is none there', async () => {
  const items = [{ productId: await sized(store.db, 1, null), quantity: 1 }];
  for (const [destination, field] of [
    [{ country: 'JP', postalCode: '100-0001' }, 'destination.country'],
    [{ country: 'DE', postalCode: '1011' }, 'destination.postalCode'],
    [{ country: 'AT', postalCode: 'ABC' }, 'destination.postalCode'],
  ] as const) {
    const { status, body } = await calculate({ destination, items });
    expect([status, body.error.code, Object.keys(body.error.details)]).toEqual([
      400,
      'INVALID_DESTINATION',
      [field],
    ]);
  }
});

test('404 PRODUCT_NOT_FOUND names all that is not there: no product, a draft, none any more, no variant of it', async () => {
  const there = await sized(store.db, 1, null);
  const other = await make.variant(store.db, await sized(store.db, 1, null));
  const draft = await make.product(store.db, { status: 'DRAFT' });
  const archived = await make.product(store.db, { status: 'ARCHIVED' });
  const former = await make.variant(store.db, there);
  await execute(store.db, 'UPDATE product_variants SET deleted_at = now() WHERE id = $1', [former.id]);
  const { status, body } = await calculate({
    destination: berlin,
    items: [
      { productId: there, quantity: 1 },
      { productId: v7(), quantity: 1 },
      { productId: draft.id, quantity: 1 },
      { productId: archived.id, quantity: 1 },
      { productId: there, variantId: other.id, quantity: 1 },
      { productId: there, variantId: former.id, quantity: 1 },
    ],
  });
  expect([status, body.error.code]).toEqual([404, 'PRODUCT_NOT_FOUND']);
  expect(Object.keys(body.error.details)).toEqual([
    'items.1.productId',
    'items.2.productId',
    'items.3.productId',
    'items.4.variantId',
    'items.5.variantId',
  ]);
});

test('400 VALIDATION_ERROR names the field', async () => {
  const item = { productId: await sized(store.db, 1, null), quantity: 1 };
  const items = [item];
  const cases: [object, string[]][] = [
    [{ items }, ['destination']],
    [{ destination: { ...berlin, country: 'de' }, items }, ['destination.country']],
    [{ destination: { ...berlin, country: 'XX' }, items }, ['destination.country']],
    [{ destination: { country: 'DE' }, items }, ['destination.postalCode']],
    [{ destination: { ...berlin, postalCode: ' ' }, items }, ['destination.postalCode']],
    [{ destination: berlin }, ['items']],
    [{ destination: berlin, items, cartId: v7() }, ['items']],
    [{ destination: berlin, items: [] }, ['items']],
    [{ destination: berlin, items: Array(101).fill(item) }, ['items']],
    [{ destination: berlin, items: [{ ...item, productId: 'x' }] }, ['items.0.productId']],
    [{ destination: berlin, items: [{ ...item, variantId: 'x' }] }, ['items.0.variantId']],
    [{ destination: berlin, items: [{ ...item, quantity: 0 }] }, ['items.0.quantity']],
    [{ destination: berlin, items: [{ ...item, quantity: 101 }] }, ['items.0.quantity']],
    [{ destination: berlin, items: [{ ...item, quantity: 1.5 }] }, ['items.0.quantity']],
    [{ destination: berlin, cartId: 'x' }, ['cartId']],
  ];
  for (const [body, fields] of cases) {
    const answer = await calculate(body);
    expect([answer.status, answer.body.error.code, Object.keys(answer.body.error.details)]).toEqual([
      400,
      'VALIDATION_ERROR',
      fields,
    ]);
  }
});

test('400 VALIDATION_ERROR for a cart that is not the caller’s own', async () => {
  const [buyer, other] = [await make.buyer(store.db), await make.buyer(store.db)];
  const cartId = await make.cart(store.db, buyer.id, []);
  await make.cart(store.db, other.id, []);
  for (const [caller, id] of [
    [other, cartId],
    [other, v7()],
    [await make.buyer(store.db), cartId],
    [null, cartId],
  ] as const) {
    const { status, body } = await calculate({ destination: berlin, cartId: id }, caller);
    expect([status, body.error.code, Object.keys(body.error.details)]).toEqual([
      400,
      'VALIDATION_ERROR',
      ['cartId'],
    ]);
  }
  const empty = await calculate({ destination: berlin, cartId }, buyer);
  expect([empty.status, empty.body.data.package.totalWeight]).toEqual([200, 0]);
});

test('an invalid token is treated like a missing one', async () => {
  const items = [{ productId: await sized(store.db, 1, null), quantity: 1 }];
  const answer = await calculate({ destination: berlin, items }, { token: 'bad' });
  expect(answer.status).toBe(200);
});
