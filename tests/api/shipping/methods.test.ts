import { v7 } from 'uuid';
import { z } from 'zod';
import { make } from '../../support/builders/make';
import { ownStore } from '../cart/store';

const store = ownStore();

/** Document 1 §2.8, strictly. */
const MethodsShape = z.strictObject({
  methods: z.array(
    z.strictObject({
      id: z.uuid(),
      name: z.string().min(1),
      carrier: z.string().min(1),
      description: z.string().nullable(),
      estimatedDays: z.strictObject({ min: z.int(), max: z.int() }),
      price: z.number(),
      currency: z.literal('USD'),
      isFree: z.boolean(),
      freeThreshold: z.number().nullable(),
    }),
  ),
});

let standard: string;
let generous: string;

beforeAll(async () => {
  standard = await make.shippingMethod(store.db, {
    name: 'Standard',
    carrier: 'DHL',
    countries: ['DE', 'AT'],
    baseMinor: 499,
    perKgMinor: 150,
    minDays: 2,
    maxDays: 5,
  });
  generous = await make.shippingMethod(store.db, {
    countries: ['DE'],
    baseMinor: 900,
    freeThresholdMinor: 5000,
  });
  await make.shippingMethod(store.db, { countries: ['DE'], isActive: false });
});

test('200 to anyone: what goes to a country, where prices begin', async () => {
  const { status, body } = await store.as(null).get('/shipping/methods?country=DE&postalCode=10117');
  expect(status).toBe(200);
  expect(MethodsShape.parse(body.data).methods).toEqual([
    {
      id: standard,
      name: 'Standard',
      carrier: 'DHL',
      description: null,
      estimatedDays: { min: 2, max: 5 },
      price: 4.99,
      currency: 'USD',
      isFree: false,
      freeThreshold: null,
    },
    expect.objectContaining({ id: generous, price: 9, isFree: false, freeThreshold: 50 }),
  ]);
  const austria = await store.as(null).get('/shipping/methods?country=AT');
  expect(austria.body.data.methods.map((method: { id: string }) => method.id)).toEqual([standard]);
});

test('with the caller’s cart: by its weight, and free from the threshold of goods after discount', async () => {
  const buyer = await make.buyer(store.db, { country: 'CH' });
  const heavy = await make.product(store.db, { priceMinor: 2600, weightGrams: 1337 });
  const weightless = await make.product(store.db, { priceMinor: 0, weightGrams: null });
  const cartId = await make.cart(store.db, buyer.id, [
    { productId: heavy.id, quantity: 2 },
    { productId: weightless.id },
  ]);
  const prices = async () => {
    const { status, body } = await store.as(buyer).get(`/shipping/methods?country=DE&cartId=${cartId}`);
    expect(status).toBe(200);
    return body.data.methods.map((method: { price: number; isFree: boolean }) => [
      method.price,
      method.isFree,
    ]);
  };
  // 2.674 kg at 1.50 are 4.011.
  expect(await prices()).toEqual([
    [9, false],
    [0, true],
  ]);
  const { code } = await make.coupon(store.db, { amountMinor: 201 });
  await store.as(buyer).post('/cart/coupons', { code });
  expect(await prices()).toEqual([
    [9, false],
    [9, false],
  ]);
});

test('400 SHIPPING_NOT_AVAILABLE where nothing is sent, or to a postal code that is none there', async () => {
  for (const where of ['country=JP', 'country=DE&postalCode=1011', 'country=AT&postalCode=ABC']) {
    const { status, body } = await store.as(null).get(`/shipping/methods?${where}`);
    expect([status, body.error.code]).toEqual([400, 'SHIPPING_NOT_AVAILABLE']);
  }
});

test('400 VALIDATION_ERROR for a country that is none', async () => {
  for (const where of ['', 'country=', 'country=de', 'country=XX', 'country=DEU', 'country=DE&country=AT']) {
    const { status, body } = await store.as(null).get(`/shipping/methods?${where}`);
    expect([where, status, body.error.code]).toEqual([where, 400, 'VALIDATION_ERROR']);
    expect(Object.keys(body.error.details)).toEqual(['country']);
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
    [buyer, 'x'],
  ] as const) {
    const { status, body } = await store.as(caller).get(`/shipping/methods?country=DE&cartId=${id}`);
    expect([status, body.error.code, Object.keys(body.error.details)]).toEqual([
      400,
      'VALIDATION_ERROR',
      ['cartId'],
    ]);
  }
  expect((await store.as(buyer).get(`/shipping/methods?country=DE&cartId=${cartId}`)).status).toBe(200);
});
