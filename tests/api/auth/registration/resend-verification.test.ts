import { z } from 'zod';
import { rows } from '../../../../db/sql/query';
import { mailsTo } from '../../../support/checks/mail';
import { make } from '../../../support/builders/make';
import { askAuth, refusedWith, registered } from '../../../support/builders/registering';
import { startWorld, type World } from '../../../support/worlds/world';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.teardown());

const resend = (body: object, headers?: Record<string, string>) =>
  askAuth(world, 'resend-verification', body, headers);

test('200: another mail with another token, and only that one is valid', async () => {
  const { id, email, token } = await registered(world);
  const answer = await resend({ email: email.toUpperCase() });
  expect(answer.status).toBe(200);
  z.strictObject({ success: z.literal(true), data: z.strictObject({ message: z.string() }) }).parse(
    answer.body,
  );
  const mails = await mailsTo(world.db, email);
  expect(mails).toHaveLength(2);
  expect(mails[1]!.token).not.toBe(token);
  expect(
    await rows(
      world.db,
      `SELECT superseded_at IS NOT NULL AS superseded FROM mailed_tokens WHERE user_id = $1 ORDER BY created_at`,
      [id],
    ),
  ).toEqual([{ superseded: true }, { superseded: false }]);
});

test('200: the same request under one key sends one mail', async () => {
  const { id, email } = await registered(world);
  const key = { 'Idempotency-Key': id };
  expect((await resend({ email }, key)).status).toBe(200);
  expect((await resend({ email }, key)).status).toBe(200);
  expect(await mailsTo(world.db, email)).toHaveLength(2);
});

test('of three requests at once, one token is valid in the end', async () => {
  const { id, email } = await registered(world);
  const answers = await Promise.all([1, 2, 3].map(() => resend({ email })));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  const live = await rows(
    world.db,
    'SELECT id FROM mailed_tokens WHERE user_id = $1 AND used_at IS NULL AND superseded_at IS NULL',
    [id],
  );
  expect(live).toHaveLength(1);
});

test('404 USER_NOT_FOUND, also for an address of another region', async () => {
  const { email } = await registered(world);
  expect(refusedWith(await resend({ email: 'nobody@example.com' }))).toEqual({
    status: 404,
    code: 'USER_NOT_FOUND',
  });
  expect(refusedWith(await resend({ email }, { Cookie: 'svc_region=APAC' }))).toEqual({
    status: 404,
    code: 'USER_NOT_FOUND',
  });
});

test('409 ALREADY_VERIFIED', async () => {
  const user = await make.user(world.db);
  expect(refusedWith(await resend(user))).toEqual({ status: 409, code: 'ALREADY_VERIFIED' });
  expect(await mailsTo(world.db, user.email)).toEqual([]);
});

test.each([{}, { email: 'nobody' }, { email: ['a@example.com'] }])(
  '400 VALIDATION_ERROR: %j',
  async (body) => {
    const answer = await resend(body);
    expect(refusedWith(answer)).toEqual({ status: 400, code: 'VALIDATION_ERROR' });
    expect(answer.body.error.details).toEqual({ email: expect.any(Array) });
  },
);
