import { execute } from '../../../../db/sql/query';
import { latestToken, mailsTo } from '../../../support/checks/mail';
import { make } from '../../../support/builders/make';
import { ownIdentityServer } from '../identity-server';
import { undoing } from '../undo/undoing';
import { givePhone, guarded, refusalOf, signedIn, type Person } from './guarded';

const server = ownIdentityServer({ ADMIN_SECOND_FACTOR: 'required' });
const { undo, factorOf, logIn } = undoing(server);

const promote = ({ user }: Pick<Person, 'user'>) =>
  execute(server.db, `UPDATE users SET roles = '{USER,ADMIN}' WHERE id = $1`, [user.id]);
const addresses = ({ accessToken }: Pick<Person, 'accessToken'>) =>
  server.http.get('/api/v1/users/me/addresses').auth(accessToken, { type: 'bearer' });
const mailOn = async ({ user }: Pick<Person, 'user'>) =>
  (await mailsTo(server.db, user.email)).findLast(({ subject }) => subject === 'Two-factor sign-in is on')!;

describe('where administrators need a second factor', () => {
  test.each(['admin', 'superAdmin'] as const)('%s: a set-up by SMS or e-mail is refused', async (role) => {
    const person = await signedIn(server, await make[role](server.db));
    await givePhone(server, person.user);
    for (const method of ['SMS', 'EMAIL']) {
      const { status, body } = await person.post('/auth/2fa/setup', { method });
      expect({ status, code: body.error.code, details: body.error.details }).toEqual({
        status: 400,
        code: 'VALIDATION_ERROR',
        details: { method: ['must be TOTP for an administrator'] },
      });
    }
    expect((await person.post('/auth/2fa/setup', { method: 'TOTP' })).status).toBe(200);
  });

  test.each(['EMAIL', 'SMS'] as const)('one by %s from before does not count', async (method) => {
    const person = await guarded(server, method);
    await promote(person);
    expect(await refusalOf(addresses(person))).toBe('403 TWO_FACTOR_SETUP_REQUIRED');
    expect((await logIn(person)).body.data.requiresTwoFactor).toBe(true);
    const off = await person.post('/auth/2fa/disable', {
      password: person.user.password,
      code: person.backupCodes[0],
    });
    expect(off.status).toBe(200);
    const totp = await person.post('/auth/2fa/setup', { method: 'TOTP' });
    expect(totp.status).toBe(200);
  });

  test('no mail takes off the second factor of an administrator', async () => {
    const admin = await guarded(server, 'TOTP', await make.admin(server.db));
    expect((await addresses(admin)).status).toBe(200);
    const mail = await mailOn(admin);
    expect(mail.token).toBeNull();
    expect(mail.text).toContain('SUPER_ADMIN');
    const promoted = await guarded(server);
    const token = await latestToken(server.db, promoted.user.email);
    await promote(promoted);
    expect(await refusalOf(undo(token))).toBe('400 INVALID_TOKEN');
    expect(await factorOf(promoted)).toMatchObject({ method: 'TOTP' });
  });

  test('nothing changes for anybody else', async () => {
    const person = await guarded(server, 'EMAIL');
    expect((await addresses(person)).status).toBe(200);
    expect((await undo((await mailOn(person)).token!)).status).toBe(200);
  });
});
