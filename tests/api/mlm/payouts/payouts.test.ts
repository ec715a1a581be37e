import { randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import { execute } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import { fundsOf, payee, saveDetails, type Payee } from '../../../support/builders/paying-out/payees';
import { CARD } from '../../../support/builders/investing/withdrawing';
import { signIn } from '../../../support/builders/sign-in';
import { atOnce } from '../../../support/requests/at-once';
import { violations } from '../../../support/checks/violations';
import { outcomeOf, startAdminWorld, type AdminWorld } from '../../admin/admin-world';

let staff: AdminWorld;
beforeAll(async () => {
  staff = await startAdminWorld();
});
afterAll(async () => {
  expect(await violations(staff.world.db)).toEqual([]);
  await staff.world.teardown();
});

interface Partner {
  one: Payee;
  get: (path: string) => Promise<Response>;
  request: (amount: unknown, key?: string) => Promise<Response>;
  cancel: (id: string) => Promise<Response>;
}

async function partner(options: Parameters<typeof payee>[1] = {}): Promise<Partner> {
  const one = await payee(staff.world.db, options);
  const token = await signIn(staff.world, one.user);
  return {
    one,
    get: (path) => staff.ask('get', `/mlm/payouts${path}`, undefined, token),
    cancel: (id) => staff.ask('post', `/mlm/payouts/${id}/cancel`, {}, token),
    request: async (amount, key) => {
      const asking = staff.world.http.post('/api/v1/mlm/payouts/request').auth(token, { type: 'bearer' });
      if (key !== undefined) void asking.set('Idempotency-Key', key);
      return asking.send({ amount });
    },
  };
}

test('requested, listed, held and cancelled', async () => {
  const { one, get, request, cancel } = await partner();
  expect((await get('/balance')).body.data).toEqual({
    ...{ available: 100, pending: 0, held: 0, currency: 'USD', minimumPayout: 10 },
    ...{ canRequest: true, reasons: [] },
  });
  const key = randomUUID();
  const { status, body } = await request(40.5, key);
  expect(status).toBe(201);
  expect(body.data).toEqual({
    id: expect.any(String),
    amount: 40.5,
    currency: 'USD',
    method: { type: 'CARD', maskedDetails: '•••• 4242' },
    status: 'PENDING',
    rejectionReason: null,
    fundsReturned: null,
    createdAt: expect.any(String),
    completedAt: null,
  });
  const { id } = body.data as { id: string };
  expect((await request(40.5, key)).body.data.id).toBe(id);
  expect((await get('/balance')).body.data).toMatchObject({
    ...{ available: 59.5, held: 40.5, canRequest: false, reasons: ['PAYOUT_PENDING'] },
  });
  expect((await get('/history')).body).toMatchObject({
    data: { payouts: [{ id, status: 'PENDING' }] },
    meta: { pagination: { total: 1 } },
  });
  expect((await get('/history?status=COMPLETED')).body.data.payouts).toEqual([]);
  expect(outcomeOf(await request(10))).toBe('409 PAYOUT_PENDING');
  expect((await cancel(id)).body.data).toMatchObject({ id, status: 'CANCELLED', fundsReturned: true });
  expect(outcomeOf(await cancel(id))).toBe('400 NOT_CANCELLABLE');
  expect(await fundsOf(staff.world.db, one.userId)).toMatchObject({ availableMinor: 100_00, heldMinor: 0 });
});

test('twenty requests at once make one', async () => {
  const { one, request } = await partner();
  const answers = await atOnce(20, () => request(10));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(await fundsOf(staff.world.db, one.userId)).toMatchObject({ heldMinor: 10_00 });
});

test('refused, each for its reason; one whose membership has ended may still request', async () => {
  const { one, get, request } = await partner({ availableMinor: 50_00, user: { kycLevel: 'BASIC' } });
  const { db } = staff.world;
  for (const amount of [0, -1, 'ten', 10.001, 1e12, null])
    expect([amount, outcomeOf(await request(amount))]).toEqual([amount, '400 VALIDATION_ERROR']);
  expect(outcomeOf(await request(20))).toBe('403 KYC_REQUIRED');
  expect((await get('/balance')).body.data.reasons).toEqual(['KYC_REQUIRED']);
  await execute(db, `UPDATE users SET kyc_level = 'STANDARD', kyc_status = 'APPROVED' WHERE id = $1`, [
    one.userId,
  ]);
  await make.verified(db, one.userId);
  await execute(
    db,
    'UPDATE users SET payout_method = NULL, payout_masked = NULL, payout_sealed = NULL, payout_changed_at = NULL WHERE id = $1',
    [one.userId],
  );
  expect(outcomeOf(await request(20))).toBe('400 PAYOUT_DETAILS_MISSING');
  await saveDetails(db, one.userId, CARD);
  expect(outcomeOf(await request(9.99))).toBe('400 BELOW_MINIMUM');
  expect(outcomeOf(await request(50.01))).toBe('400 INSUFFICIENT_BALANCE');
  await execute(db, `UPDATE partners SET status = 'SUSPENDED' WHERE id = $1`, [one.partnerId]);
  const suspended = await request(20);
  expect(outcomeOf(suspended)).toBe('403 FORBIDDEN');
  expect(suspended.body.error.reason).toBe('PARTNER_SUSPENDED');
  expect((await get('/balance')).body.data.reasons).toEqual(['PARTNER_SUSPENDED']);
  await execute(db, `UPDATE users SET deletion_due_at = now() + interval '9 days' WHERE id = $1`, [
    one.userId,
  ]);
  await execute(db, `UPDATE partners SET status = 'TERMINATED' WHERE id = $1`, [one.partnerId]);
  const leaving = await request(20);
  expect([outcomeOf(leaving), leaving.body.error.reason]).toEqual(['403 FORBIDDEN', 'ACCOUNT_BEING_DELETED']);
  expect((await get('/balance')).body.data.reasons).toEqual(['ACCOUNT_BEING_DELETED']);
  await execute(db, 'UPDATE users SET deletion_due_at = NULL WHERE id = $1', [one.userId]);
  expect((await get('/balance')).body.data).toMatchObject({ canRequest: true, reasons: [] });
  expect(outcomeOf(await request(20))).toBe('201');
});

test('who is no partner: NOT_A_PARTNER everywhere', async () => {
  const { id } = (await (await partner()).request(10)).body.data as { id: string };
  const ask = (method: 'get' | 'post', path: string) =>
    staff.ask(
      method,
      `/mlm/payouts${path}`,
      method === 'post' ? { amount: 10 } : undefined,
      staff.tokens.user,
    );
  for (const [method, path] of [
    ['get', '/balance'],
    ['post', '/request'],
    ['get', '/history'],
    ['post', `/${id}/cancel`],
  ] as const)
    expect([path, outcomeOf(await ask(method, path))]).toEqual([path, '403 NOT_A_PARTNER']);
});

test('the payout of another is PAYOUT_NOT_FOUND, as is a withdrawal from a wallet', async () => {
  const [mine, other] = [await partner(), await partner()];
  const { id } = (await mine.request(10)).body.data as { id: string };
  expect(outcomeOf(await other.cancel(id))).toBe('404 PAYOUT_NOT_FOUND');
  expect(outcomeOf(await other.cancel(randomUUID()))).toBe('404 PAYOUT_NOT_FOUND');
  expect((await other.get('/history')).body.data.payouts).toEqual([]);
});
