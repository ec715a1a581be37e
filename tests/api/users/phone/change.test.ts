import { execute } from '../../../../db/sql/query';
import { ageSessions } from '../../../support/builders/aging';
import { make } from '../../../support/builders/make';
import { ownIdentityServer } from '../../auth/identity-server';
import { codesSent, givePhone, guarded, lastCode, refusalOf, signedIn } from '../../auth/two-factor/guarded';

const server = ownIdentityServer();
const phone = '+4930901820';

const phoneOf = ({ id }: { id: string }) =>
  server.one('SELECT phone, phone_verified_at IS NOT NULL AS verified FROM users WHERE id = $1', [id]);

describe('200', () => {
  test('a code goes to the number, which belongs to no account until the code comes back', async () => {
    const { user, post } = await signedIn(server);
    const { status, body } = await post('/users/me/phone', { phone });
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      data: { message: expect.any(String), maskedDestination: '+49*****820' },
    });
    expect(await codesSent(server, user)).toMatchObject([{ kind: 'SMS', recipient: phone }]);
    expect(await phoneOf(user)).toEqual({ phone: null, verified: false });
    expect((await (await signedIn(server)).post('/users/me/phone', { phone })).status).toBe(200);
  });

  test('the number that was named at registration is confirmed the same way', async () => {
    const { user, post } = await signedIn(server);
    await execute(server.db, `UPDATE users SET phone = '+4930901444' WHERE id = $1`, [user.id]);
    await post('/users/me/phone', { phone: '+4930901444' });
    await post('/users/me/phone/verify', { code: await lastCode(server, user) });
    expect(await phoneOf(user)).toEqual({ phone: '+4930901444', verified: true });
  });

  test('sent twice under one Idempotency-Key, one message goes out', async () => {
    const { user, post } = await signedIn(server);
    for (let i = 0; i < 2; i++)
      expect((await post('/users/me/phone', { phone }).set('Idempotency-Key', 'once')).status).toBe(200);
    expect(await codesSent(server, user)).toHaveLength(1);
  });

  test('one number may be in several regions', async () => {
    const other = await make.user(server.db, { region: 'US' });
    const taken = await givePhone(server, other);
    const { post } = await signedIn(server);
    expect((await post('/users/me/phone', { phone: taken })).status).toBe(200);
  });
});

describe('refusals', () => {
  test('403 REAUTHENTICATION_REQUIRED on an older session, 401 INVALID_PASSWORD with a wrong password', async () => {
    const { user, post } = await signedIn(server);
    await ageSessions(server.db, user);
    const ask = (more: object) => post('/users/me/phone', { phone: '+4930901777', ...more });
    expect(await refusalOf(ask({}))).toBe('403 REAUTHENTICATION_REQUIRED');
    expect(await refusalOf(ask({ password: 'wrong' }))).toBe('401 INVALID_PASSWORD');
    expect(await codesSent(server, user)).toEqual([]);
    expect((await ask({ password: user.password })).status).toBe(200);
  });

  test.each([undefined, 5, '', '030901820', '+49 30 901820', '+491', 'tel:+4930901820'])(
    '400 VALIDATION_ERROR: %j',
    async (wrong) => {
      const { user, post } = await signedIn(server);
      expect(await refusalOf(post('/users/me/phone', { phone: wrong }))).toBe('400 VALIDATION_ERROR');
      expect(await codesSent(server, user)).toEqual([]);
    },
  );

  test('409 PHONE_ALREADY_EXISTS: proven by another, or mine already; one that was only named is free', async () => {
    const other = await make.user(server.db);
    const taken = await givePhone(server, other);
    const { user, post } = await signedIn(server);
    expect(await refusalOf(post('/users/me/phone', { phone: taken }))).toBe('409 PHONE_ALREADY_EXISTS');
    const mine = await givePhone(server, user);
    expect(await refusalOf(post('/users/me/phone', { phone: mine }))).toBe('409 PHONE_ALREADY_EXISTS');
    expect(await codesSent(server, user)).toEqual([]);
    await execute(server.db, 'UPDATE users SET phone_verified_at = NULL WHERE id = $1', [other.id]);
    expect((await post('/users/me/phone', { phone: taken })).status).toBe(200);
  });

  test('API2: 403 FORBIDDEN while codes for signing in go to the number', async () => {
    const { user, post } = await guarded(server, 'SMS');
    const before = await phoneOf(user);
    expect(await refusalOf(post('/users/me/phone', { phone }))).toBe('403 FORBIDDEN');
    expect(await phoneOf(user)).toEqual(before);
  });

  test('401 UNAUTHORIZED without a token', async () => {
    expect(await refusalOf(server.http.post('/api/v1/users/me/phone').send({ phone }))).toBe(
      '401 UNAUTHORIZED',
    );
  });

  test('API4: 429 RATE_LIMIT_EXCEEDED for the 4th message of an account in an hour, also when they race', async () => {
    const http = server.start({ RATE_LIMIT_SCALE: '1' });
    const { user, accessToken } = await signedIn(server);
    const ask = (n: number) =>
      http
        .post('/api/v1/users/me/phone')
        .auth(accessToken, { type: 'bearer' })
        .send({ phone: `+493090190${n}` });
    const answers = await Promise.all(Array.from({ length: 6 }, (_, n) => ask(n)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429, 429, 429]);
    expect(await codesSent(server, user)).toHaveLength(3);
    const refused = answers.find(({ status }) => status === 429)!;
    expect(refused.body.error.code).toBe('RATE_LIMIT_EXCEEDED');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3500);
  });

  test('API4: 429 for the 7th message to one number, by any account', async () => {
    const http = server.start({ RATE_LIMIT_SCALE: '1' });
    const people = await Promise.all(Array.from({ length: 8 }, () => signedIn(server)));
    const answers = await Promise.all(
      people.map(({ accessToken }) =>
        http
          .post('/api/v1/users/me/phone')
          .auth(accessToken, { type: 'bearer' })
          .send({ phone: '+4930901999' }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(6).fill(200), 429, 429]);
  });
});
