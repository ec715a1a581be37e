import { execute } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import { startAdminWorld, outcomeOf, type AdminWorld } from '../admin-world';
import { CouponShape } from './shapes';

let administration: AdminWorld;
const codes = ['ALPHA', 'BETA-10', 'GAMMA-10'];
beforeAll(async () => {
  administration = await startAdminWorld({ worker: false });
  const { db } = administration.world;
  await make.coupon(db, { code: 'ALPHA', amountMinor: 199 });
  await make.coupon(db, { code: 'BETA-10', isActive: false });
  await make.coupon(db, { code: 'GAMMA-10', usageLimit: 2 });
  const { id } = await make.coupon(db, { code: 'GONE-10' });
  await execute(db, 'UPDATE coupons SET deleted_at = now() WHERE id = $1', [id]);
  for (const [i, code] of codes.entries())
    await execute(db, 'UPDATE coupons SET created_at = $2, used_count = $3 WHERE code = $1', [
      code,
      new Date(Date.UTC(2026, 0, i + 1)),
      i === 2 ? 1 : 0,
    ]);
});
afterAll(() => administration.world.teardown());

const list = (query = '', token?: string | null) =>
  administration.ask('get', `/admin/coupons${query}`, undefined, token);
const listed = async (query: string): Promise<string[]> =>
  ((await list(query)).body.data.coupons as { code: string }[]).map(({ code }) => code);

test('200 with those that are not deleted, newest first, and how often each was used', async () => {
  const { status, body } = await list();
  expect(status).toBe(200);
  const coupons = (body.data.coupons as unknown[]).map((coupon) => CouponShape.parse(coupon));
  expect(coupons).toMatchObject([
    { code: 'GAMMA-10', usedCount: 1, usageLimit: 2 },
    { code: 'BETA-10', isActive: false },
    { code: 'ALPHA', type: 'FIXED', value: 1.99 },
  ]);
  expect(body.meta.pagination).toMatchObject({ total: 3, page: 1, pageSize: 20 });
});

test('filters, and pages that never overlap', async () => {
  expect(await listed('?search=ta-1')).toEqual(['BETA-10']);
  expect(await listed('?search=-10&isActive=true')).toEqual(['GAMMA-10']);
  expect(await listed('?type=FIXED')).toEqual(['ALPHA']);
  expect(await listed('?search=%25')).toEqual([]);
  expect([...(await listed('?pageSize=2')), ...(await listed('?pageSize=2&page=2'))]).toEqual(
    codes.toReversed(),
  );
});

test('400 VALIDATION_ERROR for a page that is too large, and what is no filter', async () => {
  for (const query of [
    '?pageSize=101',
    '?page=0',
    '?type=GIFT',
    '?isActive=maybe',
    `?search=${'x'.repeat(51)}`,
  ])
    expect(outcomeOf(await list(query))).toBe('400 VALIDATION_ERROR');
  expect(outcomeOf(await list('?pageSize=100'))).toBe('200');
});

test('401 UNAUTHORIZED and 403 FORBIDDEN for who is no administrator', async () => {
  expect(outcomeOf(await list('', null))).toBe('401 UNAUTHORIZED');
  expect(outcomeOf(await list('', administration.tokens.user))).toBe('403 FORBIDDEN');
});
