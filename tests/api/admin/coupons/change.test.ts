import { randomUUID } from 'node:crypto';
import { execute, firstRow } from '../../../../db/sql/query';
import { violations } from '../../../support/checks/violations';
import { make } from '../../../support/builders/make';
import { orderSteps } from '../../../support/builders/ordering';
import { startAdminWorld, outcomeOf, type AdminWorld } from '../admin-world';
import { recordsOf } from '../records';
import { CouponShape } from './shapes';
import { given } from '../../../support/builders/given';

let administration: AdminWorld;
beforeAll(async () => {
  administration = await startAdminWorld({ worker: false });
});
afterAll(async () => {
  expect(await violations(administration.world.db)).toEqual([]);
  await administration.world.teardown();
});

const change = (id: string, body: object, token?: string | null) =>
  administration.ask('patch', `/admin/coupons/${id}`, body, token);

test('changes what was sent and nothing else; the audit record has what stood before', async () => {
  const { id, code } = await make.coupon(administration.world.db, { percentageBp: 1_000, usageLimit: 5 });
  const answer = await change(id, { value: 15, minSubtotal: 20, isActive: false });
  expect(answer.status).toBe(200);
  expect(CouponShape.parse(answer.body.data)).toMatchObject({
    ...{ id, code, type: 'PERCENTAGE', value: 15, minSubtotal: 20, usageLimit: 5, isActive: false },
  });
  expect(await recordsOf(administration, 'coupon', id)).toEqual([
    {
      actorId: administration.admin.id,
      action: 'coupon.update',
      previous: { percentageBp: 1_000, minSubtotalMinor: null, isActive: true },
      next: { percentageBp: 1_500, minSubtotalMinor: 2_000, isActive: false },
    },
  ]);
});

test('null takes a limit away; another type comes with another value', async () => {
  const { id } = await make.coupon(administration.world.db, {
    ...{ minSubtotalMinor: 100, usageLimit: 5, perUserLimit: 1 },
    ...{ startsAt: new Date(), endsAt: new Date(Date.now() + 60_000) },
  });
  const limits = { minSubtotal: null, usageLimit: null, perUserLimit: null, startsAt: null, endsAt: null };
  const answer = await change(id, { ...limits, type: 'FIXED', value: 7.5 });
  expect(CouponShape.parse(answer.body.data)).toMatchObject({ ...limits, type: 'FIXED', value: 7.5 });
  const refused = await change(id, { type: 'PERCENTAGE' });
  expect([outcomeOf(refused), Object.keys(refused.body.error.details as object)]).toEqual([
    '400 VALIDATION_ERROR',
    ['value'],
  ]);
});

test('nothing sent, or nothing new: nothing changes and nothing is recorded', async () => {
  const { id, code } = await make.coupon(administration.world.db, { percentageBp: 1_050 });
  const before = await firstRow(administration.world.db, 'SELECT * FROM coupons WHERE id = $1', [id]);
  for (const body of [{}, { code: code.toLowerCase(), value: 10.5, usageLimit: null, productIds: [] }])
    expect(outcomeOf(await change(id, body))).toBe('200');
  expect(await firstRow(administration.world.db, 'SELECT * FROM coupons WHERE id = $1', [id])).toEqual(
    before,
  );
  expect(await recordsOf(administration, 'coupon', id)).toEqual([]);
});

test('usageLimit below the uses: 400 VALIDATION_ERROR; equal to them: no further use', async () => {
  const { db } = administration.world;
  const { couponId } = await given(db).order();
  await execute(db, 'UPDATE coupons SET usage_limit = 3 WHERE id = $1', [couponId]);
  const { code } = (await firstRow<{ code: string }>(db, 'SELECT code FROM coupons WHERE id = $1', [
    couponId,
  ]))!;
  const redeem = async () => {
    const order = await given(db).cart();
    const command = { ...order.input, couponCodes: [code], at: new Date().toISOString() };
    return orderSteps(db).placeOrder({ ...order, ...command });
  };
  await redeem();
  const refused = await change(couponId, { usageLimit: 1 });
  expect([outcomeOf(refused), refused.body.error.details]).toEqual([
    '400 VALIDATION_ERROR',
    { usageLimit: ['must be at least 2, the number of uses so far'] },
  ]);
  const answer = await change(couponId, { usageLimit: 2 });
  expect(answer.body.data).toMatchObject({ usageLimit: 2, usedCount: 2 });
  await expect(redeem()).rejects.toMatchObject({ type: 'INVALID_COUPON' });
});

test('usageLimit lowered while 10 buyers redeem: never used more often than it then says', async () => {
  const { db } = administration.world;
  const { id, code } = await make.coupon(db, { usageLimit: 100 });
  const orders = await Promise.all(Array.from({ length: 10 }, () => given(db).cart()));
  const redeem = (order: (typeof orders)[number]) =>
    orderSteps(db).placeOrder({
      ...order,
      ...order.input,
      couponCodes: [code],
      at: new Date().toISOString(),
    });
  const [, lowered] = await Promise.all([
    Promise.allSettled(orders.slice(0, 5).map(redeem)),
    change(id, { usageLimit: 5 }),
    Promise.allSettled(orders.slice(5).map(redeem)),
  ]);
  expect(['200', '400 VALIDATION_ERROR']).toContain(outcomeOf(lowered));
  const coupon = await firstRow<{ used: number; limit: number }>(
    db,
    'SELECT used_count AS used, usage_limit AS "limit" FROM coupons WHERE id = $1',
    [id],
  );
  expect(coupon!.used).toBeLessThanOrEqual(coupon!.limit);
});

test('what it named and has gone since may stay named; what is new must be there', async () => {
  const { db } = administration.world;
  const gone = await make.product(db);
  const { id } = await make.coupon(db, { productIds: [gone.id] });
  await execute(db, `UPDATE products SET status = 'ARCHIVED', deleted_at = now() WHERE id = $1`, [gone.id]);
  const there = await make.product(db);
  const answer = await change(id, { productIds: [gone.id, there.id] });
  expect([answer.status, answer.body.data.productIds]).toEqual([200, [gone.id, there.id]]);
  const refused = await change(id, { productIds: [there.id, randomUUID()] });
  expect([outcomeOf(refused), Object.keys(refused.body.error.details as object)]).toEqual([
    '400 VALIDATION_ERROR',
    ['productIds'],
  ]);
});

test.each<[string, object, string]>([
  ['a window that ends before its existing start', { endsAt: '2020-01-01' }, 'endsAt'],
  ['a percentage over all of it', { value: 101 }, 'value'],
  ['no code', { code: '' }, 'code'],
  ['no type', { type: null }, 'type'],
])('400 VALIDATION_ERROR for %s, and nothing changes', async (_case, body, field) => {
  const { id } = await make.coupon(administration.world.db, { startsAt: new Date('2026-01-01T00:00:00Z') });
  const before = await firstRow(administration.world.db, 'SELECT * FROM coupons WHERE id = $1', [id]);
  const answer = await change(id, body);
  expect([outcomeOf(answer), Object.keys(answer.body.error.details as object)]).toEqual([
    '400 VALIDATION_ERROR',
    [field],
  ]);
  expect(await firstRow(administration.world.db, 'SELECT * FROM coupons WHERE id = $1', [id])).toEqual(
    before,
  );
});

test('409 CODE_ALREADY_EXISTS for the code of another', async () => {
  const [one, other] = [
    await make.coupon(administration.world.db),
    await make.coupon(administration.world.db),
  ];
  expect(outcomeOf(await change(one.id, { code: other.code }))).toBe('409 CODE_ALREADY_EXISTS');
});

test('404 COUPON_NOT_FOUND for one that is none, or deleted', async () => {
  const { id } = await make.coupon(administration.world.db);
  await administration.ask('delete', `/admin/coupons/${id}`);
  for (const none of [id, randomUUID()])
    expect(outcomeOf(await change(none, { value: 5 }))).toBe('404 COUPON_NOT_FOUND');
  expect(outcomeOf(await change('x', {}))).toBe('400 VALIDATION_ERROR');
});
