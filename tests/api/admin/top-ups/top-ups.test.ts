import { execute, firstRow } from '../../../../db/sql/query';
import { PROVIDER_QUEUES } from '../../../../workflows/kit/queues';
import { atOnce } from '../../../support/requests/at-once';
import { make } from '../../../support/builders/make';
import { signIn } from '../../../support/builders/sign-in';
import { payer, TOP_UP_MINOR, topUpState, type Payer } from '../../../support/builders/wallets/top-ups';
import { ownCheckedWorld } from '../../../support/worlds/world';

let clerk: string;
const world = ownCheckedWorld({ queues: ['interactive', 'ingest', ...PROVIDER_QUEUES] });
beforeAll(async () => {
  clerk = await signIn(world, await make.admin(world.db));
});

const confirm = (id: string, body: object, token = clerk) =>
  world.http.post(`/api/v1/admin/top-ups/${id}/payment`).auth(token, { type: 'bearer' }).send(body);
const listed = async (query: Record<string, string | number>) => {
  const { status, body } = await world.http
    .get('/api/v1/admin/top-ups')
    .query(query)
    .auth(clerk, { type: 'bearer' });
  return { status, total: body.meta?.pagination?.total as number, topUps: body.data?.topUps as Listed[] };
};
interface Listed {
  id: string;
}
const topUpOf = async ({ id }: Pick<Payer, 'id'>): Promise<{ id: string; number: string }> =>
  (await firstRow<{ id: string; number: string }>(
    world.db,
    'SELECT id, number FROM top_ups WHERE user_id = $1 ORDER BY created_at DESC LIMIT 1',
    [id],
  ))!;

describe('POST /admin/top-ups/:id/payment', () => {
  test('200: a bank transfer by its number; 400 AMOUNT_MISMATCH; 404 TOP_UP_NOT_FOUND', async () => {
    const ada = await payer(world);
    const { body } = await ada.topUp({ paymentMethod: 'BANK_TRANSFER' });
    const { id, number } = await topUpOf(ada);
    expect(body.data.payment.bankDetails.purpose).toBe(number);
    const wrong = await confirm(number, { amount: 50, transactionId: 'TOP-BANK-0' });
    expect([wrong.status, wrong.body.error.code]).toEqual([400, 'AMOUNT_MISMATCH']);
    for (let times = 0; times < 2; times++) {
      const answer = await confirm(number, { amount: 100, transactionId: 'TOP-BANK-1' });
      expect([answer.status, answer.body.data]).toEqual([
        ...[200, { topUpId: id, status: 'PAID', paymentStatus: 'PAID', outcome: 'APPLIED' }],
      ]);
    }
    expect(await topUpState(world.db, ada.id)).toMatchObject({
      ...{ topUps: ['PAID PAID'], attempts: ['BANK_TRANSFER PAID'], walletMinor: TOP_UP_MINOR },
      ledger: ['clearing_bank -10000', 'wallet 10000'],
    });
    const unknown = await confirm('TOP-2000-00000001', { amount: 100, transactionId: 'TOP-BANK-2' });
    expect([unknown.status, unknown.body.error.code]).toEqual([404, 'TOP_UP_NOT_FOUND']);
  });

  test('200: of a cancelled one it is recorded and sent back', async () => {
    const ada = await payer(world);
    await ada.topUp({ paymentMethod: 'BANK_TRANSFER' });
    const { id } = await topUpOf(ada);
    await ada.cancel(id);
    const { body } = await confirm(id, { amount: 100, transactionId: 'TOP-BANK-4' });
    expect(body.data).toEqual({
      topUpId: id,
      status: 'CANCELLED',
      paymentStatus: 'FAILED',
      outcome: 'RETURNED',
    });
    expect(await topUpState(world.db, ada.id)).toMatchObject({
      ...{ walletMinor: 0, refunds: ['LATE_PAYMENT 10000 PROCESSING'] },
    });
  });

  test('twenty administrators at once enter one reference for two top-ups: it pays one of them', async () => {
    const [ada, bob] = [await payer(world), await payer(world)];
    for (const one of [ada, bob]) await one.topUp({ paymentMethod: 'BANK_TRANSFER' });
    const [first, second] = [await topUpOf(ada), await topUpOf(bob)];
    await atOnce(20, (n) =>
      confirm((n % 2 === 0 ? first : second).id, { amount: 100, transactionId: 'TOP-BANK-5' }),
    );
    const wallets = [await topUpState(world.db, ada.id), await topUpState(world.db, bob.id)];
    expect(wallets.map(({ walletMinor }) => walletMinor).sort()).toEqual([0, TOP_UP_MINOR]);
  });

  test('403 FORBIDDEN: nobody confirms their own', async () => {
    const admin = await make.admin(world.db);
    const token = await signIn(world, admin);
    await world.http
      .post('/api/v1/users/me/balance/top-up')
      .auth(token, { type: 'bearer' })
      .send({ amount: 100, paymentMethod: 'BANK_TRANSFER' });
    const { id } = await topUpOf(admin);
    const answer = await confirm(id, { amount: 100, transactionId: 'TOP-BANK-3' }, token);
    expect([answer.status, answer.body.error.code]).toEqual([403, 'FORBIDDEN']);
  });
});

describe('GET /admin/top-ups', () => {
  test('200: newest first, by page and by each filter', async () => {
    const [ada, bob] = [await payer(world), await payer(world)];
    await ada.topUp({ paymentMethod: 'EWALLET', amount: 33.33 });
    const byWallet = await topUpOf(ada);
    await bob.topUp({ paymentMethod: 'BANK_TRANSFER' });
    const byTransfer = await topUpOf(bob);
    await bob.cancel(byTransfer.id);
    await execute(world.db, `UPDATE top_ups SET created_at = '2026-03-01T12:00:00Z' WHERE id = $1`, [
      byTransfer.id,
    ]);
    const idsOf = async (query: Record<string, string>) => (await listed(query)).topUps.map(({ id }) => id);
    const { total, topUps } = await listed({ user: ada.id });
    expect(total).toBe(1);
    expect(topUps).toEqual([
      {
        ...{
          ...byWallet,
          status: 'PENDING_PAYMENT',
          amount: 33.33,
          currency: 'USD',
          paymentMethod: 'EWALLET',
        },
        ...{
          paymentStatus: 'PENDING',
          expiresAt: expect.any(String),
          createdAt: expect.any(String),
          paidAt: null,
        },
        user: { id: ada.id, email: ada.email, name: expect.any(String) },
        chargedBackAmount: 0,
      },
    ]);
    expect(await idsOf({ user: ada.email.toUpperCase() })).toEqual([byWallet.id]);
    expect(await idsOf({ user: 'nobody@example.com' })).toEqual([]);
    for (const topUp of [byTransfer.id, byTransfer.number, byTransfer.number.toLowerCase()])
      expect(await idsOf({ topUp })).toEqual([byTransfer.id]);
    expect(await idsOf({ user: bob.id, status: 'CANCELLED' })).toEqual([byTransfer.id]);
    expect(await idsOf({ user: bob.id, status: 'PAID' })).toEqual([]);
    expect(await idsOf({ paymentMethod: 'EWALLET' })).toEqual([byWallet.id]);
    expect(await idsOf({ dateFrom: '2026-03-01', dateTo: '2026-03-01' })).toEqual([byTransfer.id]);
    expect(await idsOf({ dateTo: '2026-02-28' })).toEqual([]);
    const all = await listed({});
    expect(all.total).toBeGreaterThan(3);
    expect((await listed({ pageSize: 1, page: 2 })).topUps).toEqual([all.topUps[1]]);
  });

  test.each([{ status: 'LOST' }, { paymentMethod: 'BALANCE' }, { dateFrom: 'today' }, { pageSize: 101 }])(
    '400 VALIDATION_ERROR: %j',
    async (query) => {
      expect((await listed(query as Record<string, string>)).status).toBe(400);
    },
  );
});
