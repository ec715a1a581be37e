import { parse } from 'csv-parse/sync';
import { execute, firstRow, rows } from '../../../../db/sql/query';
import { given } from '../../../support/builders/given';
import { noteOf, orderSteps } from '../../../support/builders/ordering';
import { refundByShop } from '../../../support/builders/refunding';
import { payOrder } from '../../../support/builders/given/paid-order';
import { make } from '../../../support/builders/make';
import { eventually } from '../../../support/checks/eventually';
import { outcomeOf } from '../admin-world';
import { analyticsWorld, FIGURES, PAGES } from './figures';

const { staff, rollUp, figuresOf, beforeAndAfter } = analyticsWorld();

async function sold(at: string, subtotal = 1_000) {
  const { db } = staff().world;
  const { id: userId } = await make.user(db);
  const shippingMethodId = await make.shippingMethod(db);
  const order = { at, userId, shippingMethodId, method: 'CARD', subtotal };
  await payOrder(db, { ...order, discount: 0, shipping: 0, tax: 0 });
  return userId;
}

const RANGE_FIELDS = ['from', 'to', 'granularity', 'timezone', 'currency'];

test.each(PAGES)(
  '%s of an empty shop: thirty days of nothing, with these figures and no others',
  async (page) => {
    const { summary, timeline, breakdown } = await figuresOf(page);
    const today = new Date().toISOString().slice(0, 10);
    expect(summary).toMatchObject({ to: today, granularity: 'day', timezone: 'UTC', currency: 'USD' });
    expect(timeline).toHaveLength(30);
    expect(timeline.at(-1)).toMatchObject({ date: today });
    expect(Object.keys(summary)).toEqual([...RANGE_FIELDS, ...FIGURES[page]]);
    for (const point of timeline) expect(Object.keys(point)).toEqual(['date', ...FIGURES[page]]);
    for (const point of [summary, ...timeline])
      for (const figure of FIGURES[page]) expect(point[figure]).toBe(0);
    if (page !== 'overview')
      for (const list of Object.values(breakdown)) if (Array.isArray(list)) expect(list).toEqual([]);
  },
);

test('an order that is paid moves the figures of the day at once, and a cancellation whose money is back too', async () => {
  const { db } = staff().world;
  const { id: categoryId, name } = await make.category(db);
  const lines = [
    { priceMinor: 2_000, quantity: 2, categoryId },
    { priceMinor: 1_000, quantity: 1 },
  ];
  await given(db).order({ lines, discountBp: 1_000, taxBp: 1_900 }).paid();
  const { summary, timeline, breakdown } = await beforeAndAfter(() => figuresOf('sales', '?period=7d'));
  const figures = { orders: 1, revenue: 45, refunds: 0, netRevenue: 45, averageOrder: 45 };
  expect(summary).toMatchObject(figures);
  expect(timeline).toHaveLength(7);
  expect(timeline.at(-1)).toMatchObject(figures);
  expect(timeline.at(-2)).toMatchObject({ orders: 0, revenue: 0 });
  const tax = Math.round((4_500 + 500) * 0.19) / 100;
  const ofCategory = { orders: 1, refunds: 0 };
  expect(breakdown).toEqual({
    byCategory: [
      { categoryId, name, ...ofCategory, revenue: 36, netRevenue: 36, averageOrder: 36 },
      { categoryId: null, name: '', ...ofCategory, revenue: 9, netRevenue: 9, averageOrder: 9 },
    ],
    byMethod: [{ method: 'CARD', ...figures }],
    byCustomer: [{ customer: 'NEW', orders: 1, revenue: 45 }],
    byRefundReason: [],
    charges: { discounts: 5, shipping: 5, tax, total: 50 + tax },
  });

  const { refundId } = await given(db).order({ lines, discountBp: 1_000, taxBp: 1_900 }).paid().cancelled();
  await orderSteps(db).completeRefund({ refundId, providerRefundId: refundId, at: new Date().toISOString() });
  const after = await beforeAndAfter(() => figuresOf('sales', '?period=7d'));
  expect(after.summary).toMatchObject({
    orders: 2,
    revenue: 90,
    refunds: 45,
    netRevenue: 45,
    averageOrder: 45,
  });
  expect(after.breakdown).toMatchObject({
    byCategory: [
      { categoryId, revenue: 72, refunds: 36, netRevenue: 36 },
      { categoryId: null, revenue: 18, refunds: 9, netRevenue: 9 },
    ],
    byMethod: [{ method: 'CARD', refunds: 45, netRevenue: 45 }],
    byRefundReason: [{ reason: 'CANCELLATION', count: 1, refunds: 45 }],
    charges: { discounts: 10, shipping: 5, tax, total: 50 + tax },
  });
  expect((await figuresOf('overview')).summary).toMatchObject({ netRevenue: 45 });
});

test('all of a refund counts on the day on which its money is back: goods, shipping and tax', async () => {
  const { db } = staff().world;
  const lines = [{ priceMinor: 10_000, quantity: 1 }];
  const { orderId, userId } = await given(db)
    .order({ lines, shippingMinor: 1_000, taxBp: 2_000, discountBp: 0, at: '2026-01-30T10:00:00Z' })
    .paid();
  const noteId = await noteOf(db, userId, 'Changed my mind.');
  const cancelled = await orderSteps(db).cancelOrder({ orderId, noteId, at: '2026-01-31T10:00:00Z' });
  const { refundId } = cancelled.refundsDue[0]!;
  const back = { refundId, providerRefundId: refundId, at: '2026-02-02T10:00:00Z' };
  await orderSteps(db).completeRefund(back);

  const [january, february] = [
    '?dateFrom=2026-01-01&dateTo=2026-01-31',
    '?dateFrom=2026-02-01&dateTo=2026-02-28',
  ];
  const sales = await beforeAndAfter(() => figuresOf('sales', january));
  expect(sales.summary).toMatchObject({ revenue: 100, refunds: 0, netRevenue: 100 });
  expect(sales.breakdown).toMatchObject({ charges: { shipping: 10, tax: 22, total: 132 } });
  const after = await figuresOf('sales', february);
  expect(after.summary).toMatchObject({ revenue: 0, refunds: 100, netRevenue: -100 });
  expect(after.breakdown).toMatchObject({ charges: { shipping: -10, tax: -22, total: -132 } });
  const turnoverOf = async (query: string) =>
    ((await figuresOf('overview', query)).breakdown['turnover'] as object[])[0];
  expect(await turnoverOf(january)).toEqual({ area: 'SALES', incoming: 132, outgoing: 0 });
  expect(await turnoverOf(february)).toEqual({ area: 'SALES', incoming: 0, outgoing: 132 });
});

test.each([
  ['first the refund of one line', false],
  ['first the cancellation', true],
])('categories of an order that is refunded in two ways come to zero: %s', async (_, isLineLast) => {
  const { db } = staff().world;
  const categories = [await make.category(db), await make.category(db)];
  const lines = categories.map(({ id: categoryId }) => ({ priceMinor: 10_000, quantity: 1, categoryId }));
  const order = await given(db).order({ lines, discountBp: 0 }).paid();
  const { orderId, userId } = order;
  const at = new Date().toISOString();
  await refundByShop(db, order, { items: [{ itemId: order.items[0]!.id, quantity: 1 }] });
  const noteId = await noteOf(db, userId, 'Changed my mind.');
  await orderSteps(db).cancelOrder({ orderId, noteId, at });
  const refunds = await rows<{ refundId: string }>(
    db,
    'SELECT id AS refund_id FROM payment_refunds WHERE order_id = $1 ORDER BY (reason = $2) = $3',
    [orderId, 'CANCELLATION', !isLineLast],
  );
  expect(refunds).toHaveLength(2);
  for (const { refundId } of refunds)
    await orderSteps(db).completeRefund({ refundId, providerRefundId: refundId, at });
  const { summary, breakdown } = await beforeAndAfter(() => figuresOf('sales', '?period=7d'));
  expect(summary).toMatchObject({ revenue: 200, refunds: 200, netRevenue: 0 });
  const ofEach = categories.map(({ id: categoryId }) =>
    expect.objectContaining({ categoryId, revenue: 100, refunds: 100, netRevenue: 0 }),
  ) as object[];
  expect(breakdown['byCategory']).toHaveLength(2);
  expect(breakdown['byCategory']).toEqual(expect.arrayContaining(ofEach));
});

test('an order that is bought, paid and cancelled over HTTP moves the figures of its day', async () => {
  const { world } = staff();
  const day = () => figuresOf('sales', '?period=7d').then(({ timeline }) => timeline.at(-1)!);
  const { orderId } = await given(world).order().paid().cancelled();
  const { goods } = (await firstRow<{ goods: number }>(
    world.db,
    'SELECT subtotal_minor - discount_minor AS goods FROM orders WHERE id = $1',
    [orderId],
  ))!;
  const sold = { orders: 1, revenue: goods / 100, refunds: goods / 100, netRevenue: 0 };
  await eventually(async () => expect(await day()).toMatchObject(sold));
  expect(goods).toBeGreaterThan(0);
});

test('goods that move to another category stay where they were sold', async () => {
  const { db } = staff().world;
  const [before, after] = [await make.category(db), await make.category(db)];
  const lines = [{ priceMinor: 2_000, quantity: 1, categoryId: before.id }];
  await given(db).order({ lines, discountBp: 0 }).paid();
  await execute(db, 'UPDATE products SET category_id = $2 WHERE category_id = $1', [before.id, after.id]);
  const { breakdown } = await beforeAndAfter(() => figuresOf('sales'));
  expect(breakdown['byCategory']).toMatchObject([{ categoryId: before.id, revenue: 20 }]);
});

test.each([
  // In Berlin the 29th of March 2026 has 23 hours, the 25th of October 25; in New York the 1st of November.
  [
    'Europe/Berlin',
    '2026-03-29',
    ['2026-03-28T23:00:00Z', '2026-03-29T21:59:59Z'],
    ['2026-03-28T22:59:59Z', '2026-03-29T22:00:00Z'],
  ],
  [
    'Europe/Berlin',
    '2026-10-25',
    ['2026-10-24T22:00:00Z', '2026-10-25T22:59:59Z'],
    ['2026-10-24T21:59:59Z', '2026-10-25T23:00:00Z'],
  ],
  [
    'America/New_York',
    '2026-11-01',
    ['2026-11-01T04:00:00Z', '2026-11-02T04:59:59Z'],
    ['2026-11-01T03:59:59Z', '2026-11-02T05:00:00Z'],
  ],
  [
    'Asia/Kathmandu',
    '2024-02-29',
    ['2024-02-28T18:15:00Z', '2024-02-29T18:14:59Z'],
    ['2024-02-28T18:14:59Z', '2024-02-29T18:15:00Z'],
  ],
])('in %s the %s has these instants and no others', async (timezone, day, within, outside) => {
  for (const at of [...within, ...outside]) await sold(at);
  const { summary } = await beforeAndAfter(() =>
    figuresOf('sales', `?dateFrom=${day}&dateTo=${day}&timezone=${timezone}`),
  );
  expect(summary).toMatchObject({ from: day, to: day, timezone, orders: within.length, revenue: 20 });
});

test('weeks over New Year are those of ISO, months end on their last day', async () => {
  for (const at of [
    '2025-12-28T23:59:59Z',
    '2025-12-29T00:00:00Z',
    '2026-01-04T23:59:59Z',
    '2026-01-31T23:59:59Z',
  ])
    await sold(at);
  const points = async (query: string) =>
    (await figuresOf('sales', `?dateFrom=2025-12-24&dateTo=2026-02-01&${query}`)).timeline.map(
      ({ date, orders }) => `${String(date)} ${String(orders)}`,
    );
  await rollUp();
  expect((await points('granularity=week')).slice(0, 2)).toEqual(['2025-12-24 1', '2025-12-29 2']);
  expect(await points('granularity=month')).toEqual(['2025-12-24 2', '2026-01-01 2', '2026-02-01 0']);
});

test('amounts of another currency are apart', async () => {
  await sold(new Date().toISOString());
  expect((await figuresOf('sales', '?currency=EUR')).summary).toMatchObject({ orders: 0, currency: 'EUR' });
  expect((await figuresOf('sales')).summary).toMatchObject({ orders: 1 });
});

test.each(PAGES)('%s as a file: the timeline, and who took it', async (page) => {
  await sold('2026-01-02T10:00:00Z');
  const query = '?dateFrom=2026-01-01&dateTo=2026-01-03&timezone=Europe/Berlin';
  const { timeline } = await figuresOf(page, query);
  const file = await staff().ask('get', `/admin/analytics/${page}/export${query}`);
  expect(file.headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(file.headers['content-disposition']).toContain(`analytics-${page}-2026-01-01-2026-01-03.csv`);
  const lines = parse<Record<string, string>>(file.text, { columns: true, bom: true });
  expect(lines).toEqual(
    timeline.map((point) =>
      Object.fromEntries(
        Object.entries<unknown>({ currency: 'USD', ...point }).map(([field, value]) => [
          field,
          String(value),
        ]),
      ),
    ),
  );
  const [record] = await rows<{ next: object }>(
    staff().world.db,
    `SELECT next FROM audit_records WHERE action = 'analytics.export' AND entity_id = $1`,
    [page],
  );
  expect(record).toEqual({
    next: {
      from: '2026-01-01',
      to: '2026-01-03',
      granularity: 'day',
      timezone: 'Europe/Berlin',
      currency: 'USD',
    },
  });
});

test.each([
  ['period=2d', 'period'],
  ['period=7d&dateFrom=2026-01-01', 'period'],
  ['dateTo=2026-01-01', 'dateFrom'],
  ['dateFrom=1999-12-31', 'dateFrom'],
  ['dateFrom=2026-02-29', 'dateFrom'],
  ['dateFrom=2026-01-01T10:00:00Z', 'dateFrom'],
  ['dateFrom=2100-01-01', 'dateFrom'],
  ['dateFrom=2026-01-02&dateTo=2026-01-01', 'dateTo'],
  ['dateFrom=2025-01-01&dateTo=2026-02-05', 'granularity'],
  ['granularity=hour', 'granularity'],
  ['timezone=Europe/Atlantis', 'timezone'],
  ['timezone=%2B05:45', 'timezone'],
  ['currency=usd', 'currency'],
])('%s is refused by its field', async (query, field) => {
  for (const page of PAGES)
    for (const path of [page, `${page}/export`]) {
      const answer = await staff().ask('get', `/admin/analytics/${path}?${query}`);
      expect(outcomeOf(answer)).toBe('400 VALIDATION_ERROR');
      expect(Object.keys(answer.body.error.details as object)).toContain(field);
    }
});

test('400 points are answered, in weeks and months as many years as they reach', async () => {
  const range = '?dateFrom=2025-01-01&dateTo=2026-02-04';
  expect((await figuresOf('sales', range)).timeline).toHaveLength(400);
  const weeks = await figuresOf('kyc', '?dateFrom=2019-01-07&dateTo=2026-09-06&granularity=week');
  expect(weeks.timeline).toHaveLength(400);
});

test('an erased account leaves the figures', async () => {
  const userId = await sold(new Date().toISOString());
  const before = await figuresOf('sales');
  expect(before.summary).toMatchObject({ orders: 1 });
  await execute(
    staff().world.db,
    `UPDATE orders SET shipping_address = '{}', billing_address = NULL, notes = NULL WHERE user_id = $1`,
    [userId],
  );
  await execute(staff().world.db, `UPDATE users SET email = $2 WHERE id = $1`, [
    userId,
    `erased-${userId}@invalid`,
  ]);
  await rollUp();
  expect(await figuresOf('sales')).toEqual(before);
});
