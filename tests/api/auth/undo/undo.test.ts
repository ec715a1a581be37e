import { execute, firstRow } from '../../../../db/sql/query';
import { mailsTo } from '../../../support/checks/mail';
import { ownIdentityServer } from '../identity-server';
import { guarded, refusalOf, signedIn, type Guarded } from '../two-factor/guarded';
import { successesAndRefusals, undoing, Undone } from './undoing';

const server = ownIdentityServer();

const { undo, tokenTo, logIn, factorOf, turnOff } = undoing(server);
const letTokensExpire = () => execute(server.db, 'UPDATE mailed_tokens SET expires_at = now()');

describe('a second factor that was turned on', () => {
  test('200: it is gone with its backup codes, every session ends, the owner signs in by password', async () => {
    const thief = await guarded(server);
    const mail = (await mailsTo(server.db, thief.user.email)).at(-1)!;
    expect(mail.subject).toBe('Two-factor sign-in is on');
    expect(mail.text).toMatch(/^Hello Ada,\n/);
    expect(mail.text).toContain(mail.token);
    expect(mail.text).toContain('valid for 14 days');
    const { status, body } = await undo(mail.token!);
    expect(status).toBe(200);
    expect(Undone.parse(body).data.undone).toBe('TWO_FACTOR_ON');
    expect(await factorOf(thief)).toBeNull();
    const codes = await firstRow<{ n: number }>(
      server.db,
      'SELECT count(*)::int AS n FROM backup_codes WHERE user_id = $1',
      [thief.user.id],
    );
    expect(codes).toEqual({ n: 0 });
    expect(await server.opens(thief.accessToken)).toBe(false);
    expect((await logIn(thief)).body.data.accessToken).toEqual(expect.any(String));
    const subjects = (await mailsTo(server.db, thief.user.email)).map(({ subject }) => subject);
    expect(subjects.at(-1)).toBe('Two-factor sign-in is off again');
  });

  test('400 INVALID_TOKEN once it has signed its owner in', async () => {
    const person = await guarded(server);
    expect((await logIn(person, { twoFactorCode: person.code() })).status).toBe(200);
    expect(await refusalOf(undo(await tokenTo(person)))).toBe('400 INVALID_TOKEN');
    expect(await factorOf(person)).toMatchObject({ method: 'TOTP' });
  });

  test('also by a backup code or a confirmation; a wrong code leaves the token valid', async () => {
    const [used, confirming, notUsed] = [await guarded(server), await guarded(server), await guarded(server)];
    expect((await logIn(used, { twoFactorCode: used.backupCodes[0] })).status).toBe(200);
    expect(await refusalOf(undo(await tokenTo(used)))).toBe('400 INVALID_TOKEN');
    await logIn(notUsed, { twoFactorCode: 'WRONG' });
    const confirm = ({ user: { password }, post }: Guarded, twoFactorCode: string) =>
      post('/auth/confirm', { password, twoFactorCode });
    await confirm(notUsed, 'WRONGWRONG');
    expect((await confirm(confirming, confirming.code())).status).toBe(200);
    expect(await refusalOf(undo(await tokenTo(confirming)))).toBe('400 INVALID_TOKEN');
    expect((await undo(await tokenTo(notUsed))).status).toBe(200);
  });

  test('400 INVALID_TOKEN for the mail of a factor that was turned off and on again', async () => {
    const person = await guarded(server);
    const earlier = await tokenTo(person);
    await turnOff(person);
    const again = await guarded(server, 'EMAIL', person.user);
    expect(await refusalOf(undo(earlier))).toBe('400 INVALID_TOKEN');
    expect(await factorOf(again)).toMatchObject({ method: 'EMAIL' });
  });

  test('50 requests with one token at once: one success, one mail', async () => {
    const person = await guarded(server);
    const token = await tokenTo(person);
    expect(await successesAndRefusals(Array.from({ length: 50 }, () => undo(token)))).toEqual([1, 49]);
    const mails = await mailsTo(server.db, person.user.email);
    expect(mails.filter(({ subject }) => subject === 'Two-factor sign-in is off again')).toHaveLength(1);
  });

  test('a first sign-in and undoing at once: never both a session and no factor', async () => {
    for (let round = 0; round < 5; round++) {
      const person = await guarded(server);
      const token = await tokenTo(person);
      const { tempToken } = (await logIn(person)).body.data;
      const step = { tempToken, twoFactorCode: person.code() };
      const [signedInNow, undone] = await Promise.all([
        server.http.post('/api/v1/auth/login').send(step),
        undo(token),
      ]);
      expect([signedInNow.status, undone.status].filter((status) => status === 200)).toHaveLength(1);
      expect((await factorOf(person)) === null).toBe(undone.status === 200);
    }
  });
});

describe('refusals', () => {
  test('400 INVALID_TOKEN: unknown, used, or for another purpose', async () => {
    expect(await refusalOf(undo('3f0c2f4e-0000-4000-8000-000000000000'))).toBe('400 INVALID_TOKEN');
    const person = await guarded(server);
    const token = await tokenTo(person);
    await execute(server.db, `UPDATE mailed_tokens SET purpose = 'RESET_PASSWORD' WHERE user_id = $1`, [
      person.user.id,
    ]);
    expect(await refusalOf(undo(token))).toBe('400 INVALID_TOKEN');
  });

  test('400 TOKEN_EXPIRED after its days, and nothing is done', async () => {
    const person = await guarded(server);
    const token = await tokenTo(person);
    await letTokensExpire();
    expect(await refusalOf(undo(token))).toBe('400 TOKEN_EXPIRED');
    expect(await factorOf(person)).toMatchObject({ method: 'TOTP' });
  });

  test('400 VALIDATION_ERROR without a token', async () => {
    expect(await refusalOf(server.http.post('/api/v1/auth/undo').send({}))).toBe('400 VALIDATION_ERROR');
  });

  test('the database keeps no token in the clear', async () => {
    const person = await guarded(server);
    const token = await tokenTo(person);
    const row = await firstRow<{ row: string }>(
      server.db,
      'SELECT mailed_tokens::text AS row FROM mailed_tokens WHERE user_id = $1',
      [person.user.id],
    );
    expect(row!.row).not.toContain(token);
  });
});

test('POLICY_UNDO_DAYS sets how long the token is good', async () => {
  const { user, accessToken } = await signedIn(server);
  const http = server.start({ POLICY_UNDO_DAYS: '1' });
  const post = (path: string, body: object) =>
    http.post(`/api/v1${path}`).auth(accessToken, { type: 'bearer' }).send(body);
  await post('/auth/2fa/setup', { method: 'EMAIL' });
  const [sent] = await mailsTo(server.db, user.email);
  await post('/auth/2fa/verify', { code: sent!.code });
  const mail = (await mailsTo(server.db, user.email)).at(-1)!;
  expect(mail.text).toContain('valid for 1 day,');
  const token = await firstRow<{ hours: number }>(
    server.db,
    `SELECT round(extract(epoch FROM expires_at - created_at) / 3600)::int AS hours FROM mailed_tokens
      WHERE user_id = $1`,
    [user.id],
  );
  expect(token).toEqual({ hours: 24 });
});

describe('a second factor that was turned off', () => {
  test('200: it is in force again with the backup codes that were left, and every session ends', async () => {
    const person = await guarded(server);
    await turnOff(person);
    const mail = (await mailsTo(server.db, person.user.email)).at(-1)!;
    expect(mail.subject).toBe('Two-factor sign-in is off');
    const { body } = await undo(mail.token!);
    expect(Undone.parse(body).data.undone).toBe('TWO_FACTOR_OFF');
    expect(await factorOf(person)).toEqual({ method: 'TOTP', codes: 9 });
    expect(await server.opens(person.accessToken)).toBe(false);
    expect((await logIn(person)).body.data.requiresTwoFactor).toBe(true);
    expect((await logIn(person, { twoFactorCode: person.code() })).status).toBe(200);
    expect((await logIn(person, { twoFactorCode: person.backupCodes[1] })).status).toBe(200);
    expect(await refusalOf(logIn(person, { twoFactorCode: person.backupCodes[0] }))).toBe(
      '401 INVALID_TWO_FACTOR_CODE',
    );
  });

  test('a code that signed in before it was turned off is not taken again', async () => {
    const person = await guarded(server);
    const used = person.code();
    expect((await logIn(person, { twoFactorCode: used })).status).toBe(200);
    await turnOff(person);
    await undo(await tokenTo(person));
    expect(await refusalOf(logIn(person, { twoFactorCode: used }))).toBe('401 INVALID_TWO_FACTOR_CODE');
  });

  test('400 INVALID_TOKEN once another is in force, and after that one is undone', async () => {
    const person = await guarded(server);
    await turnOff(person);
    const off = await tokenTo(person);
    const later = await guarded(server, 'EMAIL', person.user);
    const mails = await mailsTo(server.db, later.user.email);
    const on = mails.findLast(({ subject }) => subject === 'Two-factor sign-in is on')!.token!;
    expect(await refusalOf(undo(off))).toBe('400 INVALID_TOKEN');
    expect((await undo(on)).status).toBe(200);
    expect(await refusalOf(undo(off))).toBe('400 INVALID_TOKEN');
    expect(await factorOf(person)).toBeNull();
  });

  test('nothing of it stays in the database once the token is used', async () => {
    const person = await guarded(server);
    await turnOff(person);
    const kept = () =>
      firstRow<{ n: number }>(
        server.db,
        'SELECT count(*)::int AS n FROM mailed_tokens WHERE user_id = $1 AND undo_sealed IS NOT NULL',
        [person.user.id],
      );
    expect(await kept()).toEqual({ n: 1 });
    await undo(await tokenTo(person));
    expect(await kept()).toEqual({ n: 0 });
  });

  test('50 requests with one token at once: one success', async () => {
    const person = await guarded(server);
    await turnOff(person);
    const token = await tokenTo(person);
    expect(await successesAndRefusals(Array.from({ length: 50 }, () => undo(token)))).toEqual([1, 49]);
    expect(await factorOf(person)).toEqual({ method: 'TOTP', codes: 9 });
  });
});
