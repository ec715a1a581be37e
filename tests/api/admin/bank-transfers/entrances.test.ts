import { firstRow } from '../../../../db/sql/query';
import { PROVIDER_QUEUES } from '../../../../workers/queues';
import { joiner, membershipState } from '../../../support/builders/partnering/joining';
import { make } from '../../../support/builders/make';
import { signIn } from '../../../support/builders/sign-in';
import { ownCheckedWorld } from '../../../support/worlds/world';

let clerk: string;
const world = ownCheckedWorld({
  queues: ['interactive', 'ingest', ...PROVIDER_QUEUES],
  variables: { PARTNER_ENTRANCE_FEE: '49.90' },
});
beforeAll(async () => {
  clerk = await signIn(world, await make.admin(world.db));
});

const confirm = (purpose: string, body: object, token = clerk) =>
  world.http
    .post('/api/v1/admin/bank-transfers')
    .auth(token, { type: 'bearer' })
    .send({ purpose, ...body });

test('a bank transfer is entered by its number; another amount is refused', async () => {
  const ada = await joiner(world);
  const { body } = await ada.join({ paymentMethod: 'BANK_TRANSFER' });
  const { number, id } = await entranceOf(ada);
  expect(body.data.payment.bankDetails.purpose).toBe(number);
  const wrong = await confirm(number, { amount: 50, transactionId: 'ENT-BANK-0' });
  expect([wrong.status, wrong.body.error.code]).toEqual([400, 'AMOUNT_MISMATCH']);
  const answer = await confirm(number, { amount: 49.9, transactionId: 'ENT-BANK-1' });
  expect([answer.status, answer.body.data]).toEqual([
    200,
    { subject: { kind: 'ENTRANCE', id }, status: 'PAID', outcome: 'APPLIED' },
  ]);
  expect(await membershipState(world.db, ada.id)).toMatchObject({
    ...{ partner: 'ACTIVE', attempts: ['BANK_TRANSFER PAID'], mails: ['joined'] },
    ledger: ['clearing_bank -4990', 'entrance_fees 4990'],
  });
  const unknown = await confirm('ENT-2000-00000001', { amount: 49.9, transactionId: 'ENT-BANK-2' });
  expect([unknown.status, unknown.body.error.code]).toEqual([404, 'PAYMENT_NOT_FOUND']);
});

test('nobody confirms their own', async () => {
  const admin = await make.admin(world.db);
  const token = await signIn(world, admin);
  await world.http
    .post('/api/v1/mlm/partner/join')
    .auth(token, { type: 'bearer' })
    .send({ acceptTerms: true, paymentMethod: 'BANK_TRANSFER' });
  const entrance = await entranceOf(admin);
  const answer = await confirm(entrance.number, { amount: 49.9, transactionId: 'ENT-BANK-3' }, token);
  expect([answer.status, answer.body.error.code]).toEqual([403, 'FORBIDDEN']);
});

async function entranceOf({ id }: { id: string }): Promise<{ id: string; number: string }> {
  const found = await firstRow<{ id: string; number: string }>(
    world.db,
    'SELECT id, number FROM partner_entrances WHERE user_id = $1',
    [id],
  );
  return found!;
}
