import { z } from 'zod';
import { firstRow, rows } from '../../../../db/sql/query';
import { eventually } from '../../../support/checks/eventually';
import { mailsTo } from '../../../support/checks/mail';
import { make } from '../../../support/builders/make';
import { askAuth, refusedWith } from '../../../support/builders/registering';
import { forgotten } from '../../../support/builders/resetting';
import { startWorld, type World } from '../../../support/worlds/world';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.teardown());
beforeEach(() => world.work());

const forgot = (email: unknown, headers?: Record<string, string>) =>
  askAuth(world, 'forgot-password', { email }, headers);
const settled = () =>
  eventually(async () => expect(await rows(world.db, 'SELECT id FROM password_reset_requests')).toEqual([]));

test('200: a mail with a token for one hour, stored as a hash only', async () => {
  const user = await make.user(world.db);
  const token = await forgotten(world, user.email);
  const [mail] = await mailsTo(world.db, user.email);
  expect(mail!.text).toContain(token);
  const kept = await firstRow<Record<string, unknown>>(
    world.db,
    `SELECT purpose, token_hash, extract(epoch FROM expires_at - created_at)::int AS seconds
       FROM mailed_tokens WHERE user_id = $1`,
    [user.id],
  );
  expect(kept).toEqual({
    purpose: 'RESET_PASSWORD',
    tokenHash: expect.stringMatching(/^[0-9a-f]{64}$/),
    seconds: 3600,
  });
});

test('200 for anybody, with the same words; and nobody waits to learn whether there is an account', async () => {
  const user = await make.user(world.db);
  // No worker is there to look for an account, and yet both are answered.
  await world.rest();
  const known = await forgot(` ${user.email.toUpperCase()}`);
  const unknown = await forgot('nobody@example.com');
  expect([known.status, unknown.status]).toEqual([200, 200]);
  z.strictObject({ success: z.literal(true), data: z.strictObject({ message: z.string() }) }).parse(
    known.body,
  );
  expect(unknown.text).toBe(known.text);
  const requests = await rows(world.db, 'SELECT email FROM password_reset_requests ORDER BY email');
  expect(requests).toEqual([{ email: 'nobody@example.com' }, { email: user.email }]);

  await world.work();
  await settled();
  expect(await mailsTo(world.db, user.email)).toHaveLength(1);
  expect(await mailsTo(world.db, 'nobody@example.com')).toEqual([]);
});

test.each([
  ['PENDING_VERIFICATION', 0],
  ['SUSPENDED', 1],
  ['BANNED', 0],
] as const)('an account that is %s gets %d mails', async (status, mails) => {
  const user = await make.user(world.db, { status });
  expect((await forgot(user.email)).status).toBe(200);
  await settled();
  expect(await mailsTo(world.db, user.email)).toHaveLength(mails);
});

test('the account of another region is another', async () => {
  const user = await make.user(world.db);
  await forgot(user.email, { Cookie: 'svc_region=US' });
  await settled();
  expect(await mailsTo(world.db, user.email)).toEqual([]);
});

test('of many requests at once, one token is valid in the end', async () => {
  const user = await make.user(world.db);
  await Promise.all([1, 2, 3].map(() => forgot(user.email)));
  await settled();
  expect(await mailsTo(world.db, user.email)).toHaveLength(3);
  const live = await rows(
    world.db,
    'SELECT id FROM mailed_tokens WHERE user_id = $1 AND used_at IS NULL AND superseded_at IS NULL',
    [user.id],
  );
  expect(live).toHaveLength(1);
});

test.each([undefined, 'nobody', 7])('400 VALIDATION_ERROR: %j', async (email) => {
  expect(refusedWith(await forgot(email))).toEqual({ status: 400, code: 'VALIDATION_ERROR' });
});
