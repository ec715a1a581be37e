import { randomUUID } from 'node:crypto';
import { transfersAddress } from '../../../../../api/sandbox/transfers/address';
import { execute } from '../../../../../db/sql/query';
import { fundsOf, payee } from '../../../../support/builders/paying-out/payees';
import { signIn } from '../../../../support/builders/sign-in';
import { eventually } from '../../../../support/checks/eventually';
import { violations } from '../../../../support/checks/violations';
import { testVariables } from '../../../../support/worlds/variables';
import { outcomeOf, startAdminWorld, type AdminWorld } from '../../../admin/admin-world';

let staff: AdminWorld;
beforeAll(async () => {
  staff = await startAdminWorld();
});
afterAll(async () => {
  expect(await violations(staff.world.db)).toEqual([]);
  await staff.world.teardown();
});

async function owner(options: Omit<NonNullable<Parameters<typeof payee>[1]>, 'kind'> = {}) {
  const one = await payee(staff.world.db, { kind: 'WALLET', ...options });
  const token = await signIn(staff.world, one.user);
  return {
    one,
    balance: () => staff.ask('get', '/users/me/balance', undefined, token),
    withdraw: (amount: unknown) => staff.ask('post', '/users/me/balance/withdraw', { amount }, token),
    list: (query = '') => staff.ask('get', `/users/me/balance/withdrawals${query}`, undefined, token),
    cancel: (id: string) => staff.ask('post', `/users/me/balance/withdrawals/${id}/cancel`, {}, token),
  };
}

test('withdrawn, held, listed and cancelled', async () => {
  const { one, balance, withdraw, list, cancel } = await owner();
  const { status, body } = await withdraw(40);
  expect([status, body.data]).toEqual([201, { withdrawalId: expect.any(String), status: 'PENDING' }]);
  const id = body.data.withdrawalId as string;
  const held = (await balance()).body.data;
  expect(held.balances).toEqual([{ currency: 'USD', available: 60, held: 40 }]);
  expect(held.entries[0]).toMatchObject({ type: 'WITHDRAWAL', amount: -40 });
  expect((await list()).body.data.withdrawals).toMatchObject([{ id, amount: 40, status: 'PENDING' }]);
  expect((await list('?status=COMPLETED')).body.data.withdrawals).toEqual([]);
  expect(outcomeOf(await withdraw(40))).toBe('409 PAYOUT_PENDING');
  expect((await cancel(id)).body.data).toMatchObject({ id, status: 'CANCELLED' });
  expect(outcomeOf(await cancel(id))).toBe('400 NOT_CANCELLABLE');
  expect((await balance()).body.data.balances).toEqual([{ currency: 'USD', available: 100, held: 0 }]);
  expect(await fundsOf(staff.world.db, one.userId)).toMatchObject({ walletMinor: 100_00, heldMinor: 0 });
});

test.each([
  ['settle', 'COMPLETED'],
  ['refuse', 'APPROVED'],
])('under way at the sandbox, it is told at once of a press on its page: %s', async (button, ended) => {
  const { withdraw, list } = await owner({ cardNumber: '4000000000008888' });
  const id = (await withdraw(40)).body.data.withdrawalId as string;
  for (const decision of ['approve', 'process'])
    expect(outcomeOf(await staff.ask('post', `/admin/wallet-withdrawals/${id}/${decision}`, {}))).toBe('200');
  expect((await list()).body.data.withdrawals).toMatchObject([{ id, status: 'PROCESSING' }]);
  const { pathname, search } = new URL(
    transfersAddress('http://shop.test', testVariables['SANDBOX_SECRET']!),
  );
  await staff.world.http.post(`${pathname}/${id}:1/${button}${search}`).expect(303);
  await eventually(async () =>
    expect((await list()).body.data.withdrawals).toMatchObject([{ id, status: ended }]),
  );
});

test('refused, each for its reason', async () => {
  const { one, withdraw } = await owner({ availableMinor: 30_00 });
  expect(outcomeOf(await withdraw(0))).toBe('400 VALIDATION_ERROR');
  expect(outcomeOf(await withdraw(9))).toBe('400 BELOW_MINIMUM');
  expect(outcomeOf(await withdraw(31))).toBe('400 INSUFFICIENT_BALANCE');
  await execute(
    staff.world.db,
    'UPDATE users SET payout_method = NULL, payout_masked = NULL, payout_sealed = NULL, payout_changed_at = NULL WHERE id = $1',
    [one.userId],
  );
  expect(outcomeOf(await withdraw(20))).toBe('400 PAYOUT_DETAILS_MISSING');
  const basic = await owner({ user: { kycLevel: 'BASIC' } });
  expect(outcomeOf(await basic.withdraw(20))).toBe('403 KYC_REQUIRED');
  const leaving = await owner();
  await execute(
    staff.world.db,
    `UPDATE users SET deletion_due_at = now() + interval '9 days' WHERE id = $1`,
    [leaving.one.userId],
  );
  const refused = await leaving.withdraw(20);
  expect([outcomeOf(refused), refused.body.error.reason]).toEqual(['403 FORBIDDEN', 'ACCOUNT_BEING_DELETED']);
});

test('that of another, and a payout of a partner, are WITHDRAWAL_NOT_FOUND', async () => {
  const [mine, other] = [await owner(), await owner()];
  const id = (await mine.withdraw(20)).body.data.withdrawalId as string;
  expect(outcomeOf(await other.cancel(id))).toBe('404 WITHDRAWAL_NOT_FOUND');
  expect(outcomeOf(await other.cancel(randomUUID()))).toBe('404 WITHDRAWAL_NOT_FOUND');
});
