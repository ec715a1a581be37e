import { parse } from 'csv-parse/sync';
import { analyticsActivities } from '../../../../activities/administration/analytics/analytics.activities';
import { execute, firstRow, rows } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { given } from '../../../support/builders/given';
import { orderSteps } from '../../../support/builders/ordering';
import { payOrder } from '../../../support/builders/given/paid-order';
import { endParticipation } from '../../../support/builders/investing/ending';
import { make } from '../../../support/builders/make';
import { completedPayout } from '../../../support/builders/make/partners/payouts';
import { strategy } from '../../../support/builders/make/strategies';
import { asActivity } from '../../../support/servers/run-activity';
import { outcomeOf, startAdminWorld, type AdminWorld } from '../admin-world';

const PAGES = ['overview', 'sales', 'investments', 'partners', 'payouts', 'kyc'] as const;
type Page = (typeof PAGES)[number];

let staff: AdminWorld;
beforeAll(async () => {
  staff = await startAdminWorld({ variables: { RATE_LIMIT_SCALE: '100' } });
});
afterAll(() => staff.world.teardown());
// Rollups as if nothing had ever happened.
beforeEach(async () => {
  await execute(staff.world.db, 'DELETE FROM analytics_changes');
  await execute(staff.world.db, 'DELETE FROM analytics_rollups');
});

const get = (page: Page, query = '') => staff.ask('get', `/admin/analytics/${page}${query}`);
const figuresOf = async (page: Page, query = '') => {
  const answer = await get(page, query);
  expect(outcomeOf(answer)).toBe('200');
  return answer.body.data as {
    summary: Record<string, unknown>;
    timeline: Record<string, unknown>[];
    breakdown: Record<string, Record<string, unknown>[]>;
  };
};
const rollUp = () => asActivity(analyticsActivities({ longDb: staff.world.db }).rollUpFacts)();

/** Asks before the job has run and after it; both answers must be the same. */
async function beforeAndAfter<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  const before = await ask();
  await rollUp();
  expect(await ask()).toEqual(before);
  return before;
}

async function sold(at: string, subtotal = 1_000) {
  const { db } = staff.world;
  const { id: userId } = await make.user(db);
  const shippingMethodId = await make.shippingMethod(db);
  const order = { at, userId, shippingMethodId, method: 'CARD', subtotal };
  await payOrder(db, { ...order, discount: 0, shipping: 0, tax: 0 });
  return userId;
}

const RANGE_FIELDS = ['from', 'to', 'granularity', 'timezone', 'currency'];

test.each(PAGES)('%s of an empty shop: thirty days of nothing', async (page) => {
  const { summary, timeline, breakdown } = await figuresOf(page);
  const today = new Date().toISOString().slice(0, 10);
  expect(summary).toMatchObject({ to: today, granularity: 'day', timezone: 'UTC', currency: 'USD' });
  expect(timeline).toHaveLength(30);
  expect(timeline.at(-1)).toMatchObject({ from: today, to: today });
  for (const point of [summary, ...timeline])
    for (const [field, value] of Object.entries(point))
      if (!RANGE_FIELDS.includes(field)) expect(value).toBe(0);
  if (page !== 'overview') for (const list of Object.values(breakdown)) expect(list).toEqual([]);
});

test('an order that is paid moves the figures of the day at once, and a cancellation whose money is back too', async () => {
  const { db } = staff.world;
  const order = await given(db).order().paid();
  const row = await firstRow<
    Record<'subtotalMinor' | 'discountMinor' | 'shippingMinor' | 'taxMinor' | 'totalMinor', number>
  >(
    db,
    'SELECT subtotal_minor, discount_minor, shipping_minor, tax_minor, total_minor FROM orders WHERE id = $1',
    [order.orderId],
  );
  const { subtotalMinor, discountMinor, shippingMinor, taxMinor, totalMinor } = row!;
  const goods = (subtotalMinor - discountMinor) / 100;
  const { summary, timeline, breakdown } = await beforeAndAfter(() => figuresOf('sales', '?period=7d'));
  const figures = {
    ...{ orders: 1, grossSales: subtotalMinor / 100, discounts: discountMinor / 100, netSales: goods },
    ...{ refunds: 0, refundCount: 0, shipping: shippingMinor / 100, tax: taxMinor / 100 },
    ...{ totalSales: totalMinor / 100, averageOrderValue: goods, newCustomers: 1, returningOrders: 0 },
  };
  expect(summary).toMatchObject(figures);
  expect(timeline).toHaveLength(7);
  expect(timeline.at(-1)).toMatchObject(figures);
  expect(timeline.at(-2)).toMatchObject({ orders: 0, grossSales: 0 });
  expect(breakdown).toEqual({
    byPaymentMethod: [{ paymentMethod: 'CARD', orders: 1, grossSales: subtotalMinor / 100 }],
    byCustomer: [{ customer: 'NEW', orders: 1, sales: goods }],
    byRefundReason: [],
  });

  const { refundId } = await given(db).order().paid().cancelled();
  await orderSteps(db).completeRefund({ refundId, providerRefundId: refundId, at: new Date().toISOString() });
  const after = await beforeAndAfter(() => figuresOf('sales', '?period=7d'));
  expect(after.summary).toMatchObject({ orders: 2, refundCount: 1, refunds: goods, netSales: goods });
  expect(after.summary).toMatchObject({ shipping: shippingMinor / 100, tax: taxMinor / 100 });
  expect(after.breakdown['byRefundReason']).toEqual([{ reason: 'CANCELLATION', refunds: 1, amount: goods }]);
  expect((await figuresOf('overview')).summary).toMatchObject({
    orders: 2,
    netSales: goods,
    newCustomers: 2,
  });
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
  expect(summary).toMatchObject({ from: day, to: day, timezone, orders: within.length, grossSales: 20 });
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
      ({ from, to, orders }) => `${String(from)} ${String(to)} ${String(orders)}`,
    );
  await rollUp();
  expect((await points('granularity=week')).slice(0, 2)).toEqual([
    '2025-12-24 2025-12-28 1',
    '2025-12-29 2026-01-04 2',
  ]);
  expect(await points('granularity=month')).toEqual([
    '2025-12-24 2025-12-31 2',
    '2026-01-01 2026-01-31 2',
    '2026-02-01 2026-02-01 0',
  ]);
});

test('amounts of another currency are apart', async () => {
  await sold(new Date().toISOString());
  expect((await figuresOf('sales', '?currency=EUR')).summary).toMatchObject({ orders: 0, currency: 'EUR' });
  expect((await figuresOf('sales')).summary).toMatchObject({ orders: 1 });
});

test('investments: what began, was earned and ended, and what runs', async () => {
  const { db } = staff.world;
  const { id: strategyId } = await strategy(db);
  await make.participation(db, {
    strategyId,
    status: 'ACTIVE',
    amountMinor: 50_000,
    at: new Date('2025-01-10T12:00:00Z'),
  });
  await make.participation(db, {
    strategyId,
    status: 'ACTIVE',
    amountMinor: 20_000,
    at: new Date('2025-02-10T12:00:00Z'),
  });
  const page = await beforeAndAfter(() =>
    figuresOf('investments', '?dateFrom=2025-02-01&dateTo=2025-03-31&granularity=month'),
  );
  expect(page.summary).toMatchObject({
    participations: 1,
    invested: 200,
    active: 2,
    activePrincipal: 700,
    ended: 0,
  });
  expect(page.timeline.map(({ active }) => active)).toEqual([2, 2]);
  expect(page.breakdown['byStrategy']).toMatchObject([
    { strategyId, participations: 1, invested: 200, returns: 0 },
  ]);
  const before = await figuresOf('investments', '?dateFrom=2025-01-01&dateTo=2025-01-31');
  expect(before.timeline.map(({ active }) => active).slice(8, 11)).toEqual([0, 1, 1]);
});

test('an early withdrawal: what was paid out is without the penalty, which is apart', async () => {
  const { db } = staff.world;
  const { id: strategyId } = await strategy(db);
  const { id } = await make.participation(db, { strategyId, status: 'ACTIVE', amountMinor: 1_000_00 });
  await endParticipation(db, id, { to: 'WITHDRAWN', penaltyMinor: 50_00 });
  const { summary, breakdown } = await beforeAndAfter(() => figuresOf('investments'));
  const figures = { invested: 1_000, withdrawn: 950, penalties: 50 };
  expect(summary).toMatchObject({ ...figures, ended: 1, active: 0, activePrincipal: 0 });
  expect(breakdown['byStrategy']).toMatchObject([{ strategyId, ...figures, returns: 0 }]);
  expect((await figuresOf('overview')).breakdown['turnover']).toContainEqual({
    ...{ area: 'INVESTMENTS', incoming: 1_000, outgoing: 950 },
  });
});

test('what matured to the wallet and was paid out from there went through two areas', async () => {
  const { db } = staff.world;
  const { id, userId } = await make.participation(db, { status: 'ACTIVE', amountMinor: 1_000_00 });
  await endParticipation(db, id, { to: 'MATURED' });
  const payout = { partnerId: null, userId, amountMinor: 1_000_00, at: new Date() };
  await inTransaction(db, (tx) => completedPayout(tx, payout));
  const { summary, breakdown } = await beforeAndAfter(() => figuresOf('overview'));
  expect(summary).toMatchObject({ invested: 1_000, payoutsCompleted: 1, paidOut: 1_000 });
  expect(breakdown).toEqual({
    turnover: [
      { area: 'SALES', incoming: 0, outgoing: 0 },
      { area: 'INVESTMENTS', incoming: 1_000, outgoing: 1_000 },
      { area: 'PAYOUTS', incoming: 0, outgoing: 1_000 },
    ],
  });
});

test('partners: who joined, and commissions by type', async () => {
  const { db } = staff.world;
  const { partnerId } = await make.commission(db, { type: 1, grossMinor: 1_000 });
  const { id } = await make.commission(db, { partnerId, type: 2, grossMinor: 500 });
  await execute(
    db,
    `UPDATE partner_commissions SET status = 'REVERSED', processed_at = now() WHERE id = $1`,
    [id],
  );
  const { summary, breakdown } = await beforeAndAfter(() => figuresOf('partners'));
  expect(summary).toMatchObject({
    joined: 1,
    commissions: 2,
    earned: 15,
    reversed: 5,
    netEarned: 10,
    paid: 0,
  });
  expect(breakdown['byType']).toEqual([
    { type: 1, commissions: 1, earned: 10, reversed: 0, paid: 0 },
    { type: 2, commissions: 1, earned: 5, reversed: 5, paid: 0 },
  ]);
});

test('payouts and commissions that they pay', async () => {
  const { db } = staff.world;
  const { grossMinor } = await make.commission(db, { status: 'PAID' });
  const payouts = await beforeAndAfter(() => figuresOf('payouts'));
  const paid = grossMinor / 100;
  expect(payouts.summary).toMatchObject({
    requested: 1,
    completed: 1,
    completedAmount: paid,
    averageCompletionHours: 0,
  });
  expect(payouts.breakdown['byMethod']).toMatchObject([
    { kind: 'PARTNER', method: 'CARD', completedAmount: paid },
  ]);
  expect((await figuresOf('partners')).summary).toMatchObject({ paidCommissions: 1, paid });
  expect((await figuresOf('overview')).breakdown['turnover']).toContainEqual({
    ...{ area: 'PAYOUTS', incoming: 0, outgoing: paid },
  });
});

test('identity verification: decisions, and how long they took', async () => {
  const announce = (type: string, data: object, at: string) =>
    execute(
      staff.world.db,
      `INSERT INTO domain_events (id, type, reference, entity_id, data, occurred_at)
       VALUES (gen_random_uuid(), $1, gen_random_uuid()::text, $2, $3::jsonb, $4)`,
      [type, staff.user.id, JSON.stringify(data), at],
    );
  await announce('kyc.submitted', {}, '2026-01-01T10:00:00Z');
  await announce('kyc.submitted', {}, '2026-01-02T10:00:00Z');
  await announce('kyc.approved', { level: 'STANDARD' }, '2026-01-02T16:30:00Z');
  const { summary, breakdown } = await beforeAndAfter(() =>
    figuresOf('kyc', '?dateFrom=2026-01-01&dateTo=2026-01-02'),
  );
  expect(summary).toMatchObject({
    submitted: 2,
    approved: 1,
    rejected: 0,
    approvalRate: 100,
    averageProcessingHours: 6.5,
  });
  expect(breakdown).toEqual({ byLevel: [{ level: 'STANDARD', approved: 1 }], byRejection: [] });
});

test.each(PAGES)('%s as a file: the timeline, and who took it', async (page) => {
  await sold('2026-01-02T10:00:00Z');
  const query = '?dateFrom=2026-01-01&dateTo=2026-01-03&timezone=Europe/Berlin';
  const { timeline } = await figuresOf(page, query);
  const file = await staff.ask('get', `/admin/analytics/${page}/export${query}`);
  expect(file.headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(file.headers['content-disposition']).toContain(`analytics-${page}-2026-01-01-2026-01-03.csv`);
  const lines = parse<Record<string, string>>(file.text, { columns: true });
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
    staff.world.db,
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
      const answer = await staff.ask('get', `/admin/analytics/${path}?${query}`);
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
    staff.world.db,
    `UPDATE orders SET shipping_address = '{}', billing_address = NULL, notes = NULL WHERE user_id = $1`,
    [userId],
  );
  await execute(staff.world.db, `UPDATE users SET email = $2 WHERE id = $1`, [
    userId,
    `erased-${userId}@invalid`,
  ]);
  await rollUp();
  expect(await figuresOf('sales')).toEqual(before);
});
