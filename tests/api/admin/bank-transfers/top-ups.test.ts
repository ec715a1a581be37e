import { firstRow } from '../../../../db/sql/query';
import { PROVIDER_QUEUES } from '../../../../workers/queues';
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

const confirm = (purpose: string, body: object, token = clerk) =>
  world.http
    .post('/api/v1/admin/bank-transfers')
    .auth(token, { type: 'bearer' })
    .send({ purpose, ...body });
const topUpOf = async ({ id }: Pick<Payer, 'id'>): Promise<{ id: string; number: string }> =>
  (await firstRow<{ id: string; number: string }>(
    world.db,
    'SELECT id, number FROM top_ups WHERE user_id = $1 ORDER BY created_at DESC LIMIT 1',
    [id],
  ))!;

describe('a bank transfer for a top-up', () => {
  test('200: a bank transfer by its number; 400 AMOUNT_MISMATCH; 404 PAYMENT_NOT_FOUND', async () => {
    const ada = await payer(world);
    const { body } = await ada.topUp({ paymentMethod: 'BANK_TRANSFER' });
    const { id, number } = await topUpOf(ada);
    expect(body.data.payment.bankDetails.purpose).toBe(number);
    const wrong = await confirm(number, { amount: 50, transactionId: 'TOP-BANK-0' });
    expect([wrong.status, wrong.body.error.code]).toEqual([400, 'AMOUNT_MISMATCH']);
    for (let times = 0; times < 2; times++) {
      const answer = await confirm(number, { amount: 100, transactionId: 'TOP-BANK-1' });
      expect([answer.status, answer.body.data]).toEqual([
        ...[200, { subject: { kind: 'TOP_UP', id }, status: 'PAID', outcome: 'APPLIED' }],
      ]);
    }
    expect(await topUpState(world.db, ada.id)).toMatchObject({
      ...{ topUps: ['PAID PAID'], attempts: ['BANK_TRANSFER PAID'], walletMinor: TOP_UP_MINOR },
      ledger: ['clearing_bank -10000', 'wallet 10000'],
    });
    const unknown = await confirm('TOP-2000-00000001', { amount: 100, transactionId: 'TOP-BANK-2' });
    expect([unknown.status, unknown.body.error.code]).toEqual([404, 'PAYMENT_NOT_FOUND']);
  });

  test('200: of a cancelled one it is recorded and sent back', async () => {
    const ada = await payer(world);
    await ada.topUp({ paymentMethod: 'BANK_TRANSFER' });
    const { id, number } = await topUpOf(ada);
    await ada.cancel(id);
    const { body } = await confirm(number, { amount: 100, transactionId: 'TOP-BANK-4' });
    expect(body.data).toEqual({
      ...{ subject: { kind: 'TOP_UP', id }, status: 'CANCELLED', outcome: 'RETURNED' },
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
      confirm((n % 2 === 0 ? first : second).number, { amount: 100, transactionId: 'TOP-BANK-5' }),
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
    const { number } = await topUpOf(admin);
    const answer = await confirm(number, { amount: 100, transactionId: 'TOP-BANK-3' }, token);
    expect([answer.status, answer.body.error.code]).toEqual([403, 'FORBIDDEN']);
  });
});
