import { execute } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import { signIn } from '../../../support/builders/sign-in';
import { ownWorld } from '../../../support/worlds/world';

const world = ownWorld({ queues: ['interactive'] });

const at = new Date('2026-01-01T00:00:00Z');
const person = async () => {
  const { id: userId } = await make.user(world.db);
  return { userId, token: await signIn(world, { id: userId }) };
};
const get = async (path: string, token: string) =>
  (await world.http.get(`/api/v1/users/me${path}`).auth(token, { type: 'bearer' })).body.data;

it('names what participations moved in the wallet', async () => {
  const { userId, token } = await person();
  const matured = await make.participation(world.db, { userId, status: 'MATURED', at });
  const withdrawn = await make.participation(world.db, { userId, status: 'WITHDRAWN', at });
  const { entries } = await get('/balance', token);
  const shown = entries
    .filter(({ participationId }: { participationId: string | null }) => participationId !== null)
    .map(({ type, amount, participationId, participationNumber, orderId }: Record<string, unknown>) => [
      ...[type, amount, participationId, participationNumber, orderId],
    ]);
  expect(shown).toEqual([
    ['INVESTMENT_PAYOUT', 1_000, withdrawn.id, withdrawn.number, null],
    ['INVESTMENT', -1_000, withdrawn.id, withdrawn.number, null],
    ['INVESTMENT_PAYOUT', 1_000, matured.id, matured.number, null],
    ['INVESTMENT', -1_000, matured.id, matured.number, null],
  ]);
});

it('exports participations with all transactions, and withdrawals', async () => {
  const { userId, token } = await person();
  const profits = [{ amountMinor: 20_00 }];
  const made = await make.participation(world.db, {
    userId,
    status: 'WITHDRAWN',
    at,
    profits,
    penaltyMinor: 50_00,
  });
  const { participations, investmentWithdrawals } = await get('/export', token);
  expect(participations).toMatchObject([{ id: made.id, number: made.number, status: 'WITHDRAWN' }]);
  expect(participations[0].transactions).toHaveLength(4);
  expect(investmentWithdrawals).toMatchObject([
    {
      ...{ id: made.withdrawalId, participationId: made.id, method: 'BALANCE', status: 'COMPLETED' },
      ...{ principal: 1_000, returns: 20, penalty: 50, netAmount: 970, maskedDetails: null },
    },
  ]);
});

it.each([
  ['one that runs', 'ACTIVE', (number: string) => `participation ${number} is ACTIVE`],
  [
    'one that waits for payment',
    'PENDING_PAYMENT',
    (number: string) => `participation ${number} is PENDING_PAYMENT`,
  ],
  [
    'a withdrawal on its way',
    'WITHDRAWN',
    (number: string) => `the money of participation ${number} is on its way`,
  ],
] as const)('an account with %s is not deleted', async (_, status, matter) => {
  const { userId, token } = await person();
  const origin = 'PROVIDER' as const;
  const made = await make.participation(world.db, {
    userId,
    status,
    at,
    ...(status === 'ACTIVE' && { origin }),
  });
  await execute(
    world.db,
    `UPDATE investment_withdrawals SET status = 'PROCESSING', ended_at = NULL, method = 'BANK_TRANSFER', provider = 'sandbox', details = 'x' WHERE participation_id = $1`,
    [made.id],
  );
  const { status: answered, body } = await world.http
    .delete('/api/v1/users/me')
    .auth(token, { type: 'bearer' })
    .send({});
  expect([answered, body.error.code, body.error.reason]).toEqual([
    ...[400, 'VALIDATION_ERROR', 'ACCOUNT_NOT_SETTLED'],
  ]);
  expect(body.error.details.account).toContain(matter(made.number));
});
