import { eraseAccount } from '../../../../db/identity/account-deletion/erasure.transitions';
import { replaceSecret } from '../../../../db/investment/provider/provider.writes';
import { keysOf } from '../../../../db/sealing/keys-of';
import { execute, rows } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { manyInvestors } from '../../../support/builders/investing/many-investors';
import { make } from '../../../support/builders/make';
import { eventually } from '../../../support/checks/eventually';
import { keepHistory } from '../../../support/checks/histories';
import { replies } from '../../../support/fakes/investor';
import { startPushingWorld, type PushingWorld } from './pushing';

const SLOT = '2026-11-23T06';
const NEXT = '2026-11-23T12';

let pushing: PushingWorld;
beforeAll(async () => {
  pushing = await startPushingWorld();
});
afterAll(() => pushing.teardown());

/** A user with money there. */
async function investorOf(strategyId: string, options: { status?: 'ACTIVE' | 'CANCELLED' } = {}) {
  const { db } = pushing.world;
  const user = await make.user(db);
  await make.participation(db, { userId: user.id, strategyId, status: 'ACTIVE', ...options });
  return user;
}

test('tells a provider of the users who have money there, once, in batches of 100, and then only of what changes', async () => {
  const { db } = pushing.world;
  const [here, elsewhere] = [await pushing.investor(), await pushing.investor()];
  const many = await manyInvestors(db, here.strategyId, 230);
  await investorOf(elsewhere.strategyId);
  await investorOf(here.strategyId, { status: 'CANCELLED' });
  const verified = await investorOf(here.strategyId);
  await execute(db, `UPDATE users SET kyc_level = 'STANDARD', kyc_status = 'APPROVED' WHERE id = $1`, [
    verified.id,
  ]);
  const [at, expiresAt] = [new Date('2026-03-01T10:00:00Z'), new Date('2028-03-01T10:00:00Z')];
  await make.verified(db, verified.id, { at, expiresAt });

  const run = await pushing.start(here.code, SLOT);
  expect(await run.result()).toEqual({ accepted: 231, refused: 0 });
  await keepHistory(run, 'accepted');
  expect(here.api.received.map(({ users }) => users.length)).toEqual([100, 100, 31]);
  expect(here.api.told.sort()).toEqual([...many, verified.id].sort());
  expect(here.api.rejected).toEqual([]);
  const told = here.api.received.flatMap(({ users }) => users);
  expect(told.find(({ userId }) => userId === verified.id)).toEqual({
    ...{ userId: verified.id, email: verified.email, kycStatus: 'APPROVED', kycLevel: 'STANDARD' },
    ...{ approvedAt: at.toISOString(), expiresAt: expiresAt.toISOString() },
  });
  expect(await pushing.syncOf(here.code)).toEqual({
    ...{ slot: SLOT, accepted: 231, refused: 0, problem: null, ended: true, completed: true },
  });

  expect(await pushing.push(here.code, NEXT)).toEqual({ accepted: 0, refused: 0 });
  expect(here.api.received).toHaveLength(3);

  await execute(db, `UPDATE users SET email = 'new@example.com' WHERE id = $1`, [many[7]]);
  await execute(db, `UPDATE users SET kyc_status = 'SUBMITTED' WHERE id = $1`, [many[200]]);
  // Its time is over, and kyc-expiry has not run yet.
  await execute(db, 'UPDATE kyc_verifications SET expires_at = now() WHERE user_id = $1', [verified.id]);
  expect(await pushing.push(here.code, '2026-11-23T18')).toEqual({ accepted: 3, refused: 0 });
  const changes = new Map(here.api.received.at(-1)!.users.map((user) => [user.userId, user]));
  expect(changes.get(many[7]!)).toMatchObject({ email: 'new@example.com', approvedAt: null });
  expect(changes.get(many[200]!)).toMatchObject({ kycStatus: 'SUBMITTED', kycLevel: 'BASIC' });
  expect(changes.get(verified.id)).toMatchObject({
    ...{ kycStatus: 'NOT_STARTED', kycLevel: 'BASIC', approvedAt: null, expiresAt: null },
  });
  expect(elsewhere.api.received).toEqual([]);
});

test('sends a batch again under the same id until its outcome is known: errors, a broken connection, silence, too many', async () => {
  const { code, strategyId, api } = await pushing.investor();
  await manyInvestors(pushing.world.db, strategyId, 5);
  api.replies = [
    replies.status(500),
    replies.breakOff(),
    replies.silence(),
    replies.status(429, { 'retry-after': '1' }),
    replies.status(408),
  ];
  const run = await pushing.start(code, SLOT);
  await eventually(async () =>
    expect(await pushing.syncOf(code)).toMatchObject({ problem: 'The provider answered 500.', ended: false }),
  );
  expect(await run.result()).toEqual({ accepted: 5, refused: 0 });
  await keepHistory(run, 'repeated');
  expect(api.received).toHaveLength(6);
  expect(new Set(api.received.map(({ id }) => id)).size).toBe(1);
  expect(await pushing.syncOf(code)).toMatchObject({ accepted: 5, problem: null, completed: true });
  await execute(pushing.world.db, `UPDATE users SET email = 'x' || email WHERE id = $1`, [api.told[0]]);
  await pushing.push(code, SLOT);
  expect(new Set(api.received.map(({ id }) => id)).size).toBe(2);
});

test.each([
  ['garbage', replies.status(200, { 'content-type': 'application/json' }, '{"users": [}')],
  ['a huge body', replies.flood()],
])('takes 200 with %s as acceptance', async (_, reply) => {
  const { code, strategyId, api } = await pushing.investor();
  await manyInvestors(pushing.world.db, strategyId, 3);
  api.replies = [reply];
  expect(await pushing.push(code, SLOT)).toEqual({ accepted: 3, refused: 0 });
  expect(await pushing.push(code, NEXT)).toEqual({ accepted: 0, refused: 0 });
  expect(api.received).toHaveLength(1);
});

test.each([401, 404, 302, 307])(
  'a batch that is answered %i is refused: shown, not sent again in this slot, and in the next one',
  async (status) => {
    const { code, strategyId, api } = await pushing.investor();
    await manyInvestors(pushing.world.db, strategyId, 103);
    api.replies = [replies.status(status, { location: 'http://169.254.169.254/latest/meta-data/' })];
    const run = await pushing.start(code, SLOT);
    expect(await run.result()).toEqual({ accepted: 3, refused: 100 });
    if (status === 401) await keepHistory(run, 'refused');
    expect(api.received).toHaveLength(2);
    expect(await pushing.syncOf(code)).toEqual({
      ...{ slot: SLOT, accepted: 3, refused: 100, problem: `The provider answered ${status}.` },
      ...{ ended: true, completed: false },
    });
    expect(await pushing.push(code, NEXT)).toEqual({ accepted: 100, refused: 0 });
    expect(api.received[2]!.users).toEqual(api.received[0]!.users);
    expect(api.received[2]!.id).not.toBe(api.received[0]!.id);
    expect(await pushing.syncOf(code)).toMatchObject({ slot: NEXT, problem: null, completed: true });
  },
);

test('users whom the provider refuses stop nobody: the others are told, they are asked for again behind them', async () => {
  const { code, strategyId, api } = await pushing.investor();
  const many = await manyInvestors(pushing.world.db, strategyId, 1_150);
  const bad = many.filter((_, index) => index % 100 === 50);
  for (const id of bad) api.refusedUsers.add(id);
  expect(await pushing.push(code, SLOT)).toEqual({ accepted: 1_150 - bad.length, refused: bad.length });
  expect(await pushing.syncOf(code)).toMatchObject({
    problem: 'The provider answered 422.',
    completed: true,
  });
  const before = api.received.length;
  expect(await pushing.push(code, NEXT)).toEqual({ accepted: 0, refused: bad.length });
  expect(api.received.length - before).toBe(bad.length);
  api.refusedUsers.clear();
  expect(await pushing.push(code, '2026-11-23T18')).toEqual({ accepted: bad.length, refused: 0 });
});

test('says nothing of users who only wait to pay, or whose investments there have ended', async () => {
  const { code, strategyId, api } = await pushing.investor();
  const { db } = pushing.world;
  const [invests, ended, unpaid] = [await make.user(db), await make.user(db), await make.user(db)];
  await make.participation(db, { userId: unpaid.id, strategyId, status: 'PENDING_PAYMENT' });
  for (const status of ['MATURED', 'WITHDRAWN'] as const)
    await make.participation(db, { userId: ended.id, strategyId, status, durationDays: 1 });
  await make.participation(db, { userId: invests.id, strategyId, status: 'WITHDRAWN' });
  await make.participation(db, { userId: invests.id, strategyId, status: 'ACTIVE' });
  expect(await pushing.push(code, SLOT)).toEqual({ accepted: 1, refused: 0 });
  expect(api.told).toEqual([invests.id]);
});

test('stops after ten refusals in a row, and asks again in the next slot', async () => {
  const { code, strategyId, api } = await pushing.investor();
  await manyInvestors(pushing.world.db, strategyId, 1_150);
  api.replies = Array.from({ length: 10 }, () => replies.status(403));
  expect(await pushing.push(code, SLOT)).toEqual({ accepted: 0, refused: 1_000 });
  expect(await pushing.push(code, NEXT)).toEqual({ accepted: 1_150, refused: 0 });
});

test('continues in a new history behind the batches of the first', async () => {
  const { code, strategyId, api } = await pushing.investor();
  const many = await manyInvestors(pushing.world.db, strategyId, 5_020);
  const run = await pushing.start(code, SLOT);
  expect(await run.result()).toEqual({ accepted: 5_020, refused: 0 });
  expect(api.told.sort()).toEqual(many);
  await keepHistory(run, 'continues', run.firstExecutionRunId);
  const last = pushing.world.temporal.workflow.getHandle(run.workflowId);
  expect((await last.describe()).runId).not.toBe(run.firstExecutionRunId);
  await keepHistory(last, 'continued');
});

test('is signed by the newest secret while an older one is accepted', async () => {
  const { code, strategyId, api } = await pushing.investor();
  await investorOf(strategyId);
  const { db } = pushing.world;
  const untilThen = new Date(Date.now() + 86_400_000);
  api.secret = await inTransaction(db, (tx) =>
    replaceSecret(tx, keysOf(db), { code, purpose: 'WEBHOOK', untilThen }, new Date()),
  );
  expect(await pushing.push(code, SLOT)).toEqual({ accepted: 1, refused: 0 });
  expect(api.rejected).toEqual([]);
});

test('says nothing of erased users, also of those it told before, and keeps nothing of them', async () => {
  const { code, strategyId, api } = await pushing.investor();
  const [told, untold] = [await investorOf(strategyId), await investorOf(strategyId)];
  const { db } = pushing.world;
  const erase = (id: string) => inTransaction(db, (tx) => eraseAccount(tx, id, new Date()));
  await erase(untold.id);
  expect(await pushing.push(code, SLOT)).toEqual({ accepted: 1, refused: 0 });
  await erase(told.id);
  expect(await rows(db, 'SELECT user_id FROM kyc_pushes WHERE provider_code = $1', [code])).toEqual([]);
  expect(await pushing.push(code, NEXT)).toEqual({ accepted: 0, refused: 0 });
  expect(api.told).toEqual([told.id]);
});

test('a user who is erased while a batch is on its way leaves no trace in what was accepted', async () => {
  const { code, strategyId, api } = await pushing.investor();
  const [stays, goes] = [await investorOf(strategyId), await investorOf(strategyId)];
  const { db } = pushing.world;
  api.replies = [
    (response) =>
      void inTransaction(db, (tx) => eraseAccount(tx, goes.id, new Date())).then(() =>
        response.writeHead(200).end(),
      ),
  ];
  await pushing.push(code, SLOT);
  expect(await rows(db, 'SELECT user_id FROM kyc_pushes WHERE provider_code = $1', [code])).toEqual([
    { userId: stays.id },
  ]);
});

test.each([
  [
    'an address that may not be called',
    `api_base = 'https://user@localhost/'`,
    'The address must have no user name or password.',
  ],
  ['no API any more', 'api_base = NULL', 'The provider is not active, or has no API.'],
  ['been deactivated', 'is_active = false', 'The provider is not active, or has no API.'],
])('fails at once for a provider that has %s, and heals in the next slot', async (what, change, problem) => {
  const { code, strategyId, api } = await pushing.investor();
  await investorOf(strategyId);
  const { db } = pushing.world;
  await execute(db, `UPDATE investment_providers SET ${change} WHERE code = $1`, [code]);
  const run = await pushing.start(code, SLOT);
  await expect(run.result()).rejects.toThrow();
  if (change === 'api_base = NULL') await keepHistory(run, 'impossible');
  expect(await pushing.syncOf(code)).toMatchObject({ problem, ended: true, completed: false });
  await execute(db, 'UPDATE investment_providers SET api_base = $2, is_active = true WHERE code = $1', [
    code,
    api.apiBase,
  ]);
  expect(await pushing.push(code, NEXT)).toEqual({ accepted: 1, refused: 0 });
});
