import { z } from 'zod';
import { v7 } from 'uuid';
import { execute } from '../../../db/sql/query';
import { make } from '../../support/builders/make';
import { ownStore } from '../cart/store';
import { berlin, sized } from './parcels';

const store = ownStore();

const calculate = (body: object, who: Parameters<typeof store.as>[0] = null) =>
  store.as(who).post('/shipping/calculate', body);

describe('POST /shipping/calculate', () => {
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
});

describe('POST /shipping/calculate refuses', () => {
  beforeAll(() => make.shippingMethod(store.db, { countries: ['DE', 'AT'] }));

  test('400 INVALID_DESTINATION where nothing is sent, or for a postal code that is none there', async () => {
    const items = [{ productId: await sized(store.db, 1, null), quantity: 1 }];
    for (const [destination, field] of [
      [{ country: 'JP', postalCode: '100-0001' }, 'destination.country'],
      [{ country: 'DE', postalCode: '1011' }, 'destination.postalCode'],
      [{ country: 'AT', postalCode: 'ABC' }, 'destination.postalCode'],
      [{ country: 'DE', postalCode: ' ' }, 'destination.postalCode'],
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
});

describe('GET /shipping/methods', () => {
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
    for (const where of [
      '',
      'country=',
      'country=de',
      'country=XX',
      'country=DEU',
      'country=DE&country=AT',
    ]) {
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
});
