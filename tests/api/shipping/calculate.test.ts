import { z } from 'zod';
import { make } from '../../support/builders/make';
import { ownStore } from '../cart/store';
import { berlin, sized } from './parcels';

const store = ownStore();

/** Document 1 §4.6, strictly. */
const QuoteShape = z.strictObject({
  destination: z.strictObject({ country: z.string(), postalCode: z.string() }),
  package: z.strictObject({
    totalWeight: z.number(),
    dimensions: z.strictObject({ length: z.number(), width: z.number(), height: z.number() }),
  }),
  options: z.array(
    z.strictObject({
      methodId: z.uuid(),
      name: z.string().min(1),
      carrier: z.string().min(1),
      price: z.number(),
      currency: z.literal('USD'),
      estimatedDelivery: z.strictObject({ min: z.iso.date(), max: z.iso.date() }),
      isFree: z.boolean(),
    }),
  ),
});

const dayIn = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

let standard: string;
let generous: string;

beforeAll(async () => {
  standard = await make.shippingMethod(store.db, {
    ...{ name: 'Standard', carrier: 'DHL', countries: ['DE', 'AT'], baseMinor: 499, perKgMinor: 150 },
    ...{ minDays: 2, maxDays: 5 },
  });
  generous = await make.shippingMethod(store.db, {
    ...{ name: 'Generous', countries: ['DE'], baseMinor: 900, freeThresholdMinor: 5_000 },
    ...{ minDays: 0, maxDays: 40 },
  });
  await make.shippingMethod(store.db, { countries: ['DE'], isActive: false });
});

const calculate = (body: object, who: Parameters<typeof store.as>[0] = null) =>
  store.as(who).post('/shipping/calculate', body);

test('200 to anyone: the package, and every way to send it with price and days', async () => {
  const box = await sized(store.db, 1_337, [300, 200, 105]);
  const tube = await sized(store.db, 250, [905, 51, 51]);
  const unknown = await sized(store.db, null, null);
  const before = dayIn(2);
  const { status, body } = await calculate({
    destination: berlin,
    items: [
      { productId: box, quantity: 2 },
      { productId: tube, quantity: 1 },
      { productId: unknown, quantity: 2 },
    ],
  });
  expect(status).toBe(200);
  const quote = QuoteShape.parse(body.data);
  expect(quote.destination).toEqual({ country: 'DE', postalCode: '10117' });
  // Longest, widest, all heights on one another: 2 × 10.5 and 5.1.
  expect(quote.package).toEqual({
    totalWeight: 2.924,
    dimensions: { length: 90.5, width: 20, height: 26.1 },
  });
  // 2.924 kg at 1.50 are 4.386; the goods are worth 50.
  expect(quote.options).toMatchObject([
    { methodId: standard, name: 'Standard', carrier: 'DHL', price: 9.38, isFree: false },
    { methodId: generous, name: 'Generous', price: 0, isFree: true },
  ]);
  expect([before, dayIn(2)]).toContain(quote.options[0]!.estimatedDelivery.min);
  expect(quote.options[0]!.estimatedDelivery.max > quote.options[0]!.estimatedDelivery.min).toBe(true);
  expect([dayIn(40), dayIn(39)]).toContain(quote.options[1]!.estimatedDelivery.max);
});

test('a variant costs its own price and weighs what its product weighs', async () => {
  const productId = await sized(store.db, 500, [100, 100, 100], 100);
  const { id: variantId } = await make.variant(store.db, productId, { priceMinor: 5_000 });
  const isFree = async (item: object): Promise<boolean> => {
    const { body } = await calculate({ destination: berlin, items: [{ productId, quantity: 1, ...item }] });
    expect(body.data.package.totalWeight).toBe(0.5);
    return body.data.options[1].isFree as boolean;
  };
  expect([await isFree({}), await isFree({ variantId })]).toEqual([false, true]);
});

test('goods that ran out are packed all the same, and the same goods twice count twice', async () => {
  const { id } = await make.product(store.db, { stock: 0, weightGrams: 400 });
  const item = { productId: id, quantity: 1 };
  const { status, body } = await calculate({ destination: berlin, items: [item, item] });
  expect([status, body.data.package.totalWeight]).toEqual([200, 0.8]);
});

test('the caller’s cart in place of items: free from the threshold of goods after discount', async () => {
  const buyer = await make.buyer(store.db, { country: 'CH' });
  const productId = await sized(store.db, 1_000, [10, 20, 30], 2_600);
  const cartId = await make.cart(store.db, buyer.id, [{ productId, quantity: 2 }]);
  const quote = async () =>
    QuoteShape.parse((await calculate({ destination: berlin, cartId }, buyer)).body.data);
  expect(await quote()).toMatchObject({
    package: { totalWeight: 2, dimensions: { length: 1, width: 2, height: 6 } },
    options: [{ price: 7.99 }, { price: 0, isFree: true }],
  });
  const { code } = await make.coupon(store.db, { amountMinor: 201 });
  await store.as(buyer).post('/cart/coupons', { code });
  expect((await quote()).options[1]).toMatchObject({ price: 9, isFree: false });
});

test('it asks what checkout then charges', async () => {
  const buyer = await make.buyer(store.db);
  const productId = await sized(store.db, 731, null, 1_999);
  const cartId = await make.cart(store.db, buyer.id, [{ productId, quantity: 3 }]);
  const prices = async (answer: ReturnType<typeof calculate>, list: string): Promise<number[]> =>
    ((await answer).body.data[list] as { price: number }[]).map(({ price }) => price);
  const calculated = await prices(calculate({ destination: berlin, cartId }, buyer), 'options');
  const listed = await prices(
    store.as(buyer).get(`/shipping/methods?country=DE&cartId=${cartId}`),
    'methods',
  );
  expect(calculated).toEqual(listed);
});
