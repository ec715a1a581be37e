import { eraseAccount } from '../../../../../db/identity/account-deletion/erasure.transitions';
import { inTransaction } from '../../../../../db/sql/transaction';
import { mailsTo } from '../../../../support/checks/mail';
import { make } from '../../../../support/builders/make';
import { signIn } from '../../../../support/builders/sign-in';
import { startAdminWorld, outcomeOf, type AdminWorld } from '../../admin-world';
import { provePhone, lastCodeTo, nextEmail, nextPhone, textsTo } from './contact';

let adminWorld: AdminWorld;
beforeAll(async () => {
  adminWorld = await startAdminWorld({ worker: false });
});
afterAll(() => adminWorld.world.teardown());

const change = (id: string, body: object, token?: string) =>
  adminWorld.ask('patch', `/admin/users/${id}`, body, token);
const post = (path: string, body: object, token: string | null = null) =>
  adminWorld.ask('post', path, body, token);
const me = (token: string) => adminWorld.ask('get', '/users/me', undefined, token);

describe('a changed telephone number', () => {
  test('is mailed to the account and sent to the old number, which does not learn the new one', async () => {
    const user = await make.user(adminWorld.world.db);
    const [old, phone] = [await provePhone(adminWorld, user.id), nextPhone()];
    await change(user.id, { phone });
    const [mail, ...more] = await mailsTo(adminWorld.world.db, user.email);
    expect([mail!.subject, more]).toEqual(['Your account was changed', []]);
    expect(mail!.text).toContain('changed the telephone number');
    const texts = await textsTo(adminWorld, old);
    expect(texts).toEqual([expect.stringContaining('changed the telephone number')]);
    expect(mail!.text + texts.join('')).not.toContain(phone);
    expect(await textsTo(adminWorld, phone)).toEqual([]);
  });

  test('taken away, it says so; a first number goes to the mail only', async () => {
    const user = await make.user(adminWorld.world.db);
    const first = nextPhone();
    await change(user.id, { phone: first });
    await change(user.id, { phone: null });
    const texts = (await mailsTo(adminWorld.world.db, user.email)).map(({ text }) => text);
    expect(texts).toEqual([
      expect.stringContaining('changed the telephone number'),
      expect.stringContaining('removed the telephone number'),
    ]);
    expect(await textsTo(adminWorld, first)).toEqual([
      expect.stringContaining('removed the telephone number'),
    ]);
  });

  test('ends every session, and the codes that went to the old number', async () => {
    const user = await make.user(adminWorld.world.db);
    const old = await provePhone(adminWorld, user.id);
    const token = await signIn(adminWorld.world, user);
    await post('/auth/2fa/setup', { method: 'SMS', password: user.password }, token);
    const code = await lastCodeTo(adminWorld, old);
    await change(user.id, { phone: nextPhone() });
    expect(outcomeOf(await me(token))).toBe('401 UNAUTHORIZED');
    const again = await signIn(adminWorld.world, user);
    expect(outcomeOf(await post('/auth/2fa/verify', { code }, again))).toBe('400 CODE_EXPIRED');
  });

  test('together with the e-mail address: the new address and the old one both read of it', async () => {
    const user = await make.user(adminWorld.world.db);
    const [old, email] = [await provePhone(adminWorld, user.id), nextEmail()];
    await change(user.id, { email, phone: null });
    for (const address of [user.email, email]) {
      const [mail, ...more] = await mailsTo(adminWorld.world.db, address);
      expect(more).toEqual([]);
      expect(mail!.text).toContain('removed the telephone number');
    }
    expect(await textsTo(adminWorld, old)).toHaveLength(1);
  });
});

test('other changes and notes send no message and end no session', async () => {
  const user = await make.user(adminWorld.world.db);
  const token = await signIn(adminWorld.world, user);
  const phone = await provePhone(adminWorld, user.id);
  await change(user.id, { email: user.email, phone, profile: { firstName: 'Zoë' }, note: 'x' });
  expect(await mailsTo(adminWorld.world.db, user.email)).toEqual([]);
  expect(await textsTo(adminWorld, phone)).toEqual([]);
  expect(outcomeOf(await me(token))).toBe('200');
});

test('the new address of staff cannot be set by staff: no reset, no session', async () => {
  const colleague = await make.admin(adminWorld.world.db);
  const email = nextEmail();
  expect(outcomeOf(await change(colleague.id, { email }))).toBe('403 FORBIDDEN');
  expect(await mailsTo(adminWorld.world.db, email)).toEqual([]);
});

test('an erased account is neither changed nor noted about', async () => {
  const user = await make.user(adminWorld.world.db);
  await inTransaction(adminWorld.world.db, (tx) => eraseAccount(tx, user.id, new Date()));
  for (const body of [{ email: nextEmail() }, { note: 'x' }]) {
    const answer = await change(user.id, body);
    expect([outcomeOf(answer), Object.keys(answer.body.error.details)]).toEqual([
      '400 VALIDATION_ERROR',
      ['id'],
    ]);
  }
});
