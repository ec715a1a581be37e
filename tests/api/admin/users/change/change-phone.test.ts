import { eraseAccount } from '../../../../../db/identity/account-deletion/erasure.transitions';
import { inTransaction } from '../../../../../db/sql/transaction';
import { mailsTo } from '../../../../support/checks/mail';
import { make } from '../../../../support/builders/make';
import { signIn } from '../../../../support/builders/sign-in';
import { startOffice, verdict, type Office } from '../../office';
import { provePhone, lastCodeTo, nextEmail, nextPhone, textsTo } from './contact';

let office: Office;
beforeAll(async () => {
  office = await startOffice({ worker: false });
});
afterAll(() => office.world.teardown());

const change = (id: string, body: object, token?: string) =>
  office.ask('patch', `/admin/users/${id}`, body, token);
const post = (path: string, body: object, token: string | null = null) =>
  office.ask('post', path, body, token);
const me = (token: string) => office.ask('get', '/users/me', undefined, token);

describe('a changed telephone number', () => {
  test('is mailed to the account and sent to the old number, which does not learn the new one', async () => {
    const user = await make.user(office.world.db);
    const [old, phone] = [await provePhone(office, user.id), nextPhone()];
    await change(user.id, { phone });
    const [mail, ...more] = await mailsTo(office.world.db, user.email);
    expect([mail!.subject, more]).toEqual(['Your account was changed', []]);
    expect(mail!.text).toContain('changed the telephone number');
    const texts = await textsTo(office, old);
    expect(texts).toEqual([expect.stringContaining('changed the telephone number')]);
    expect(mail!.text + texts.join('')).not.toContain(phone);
    expect(await textsTo(office, phone)).toEqual([]);
  });

  test('taken away, it says so; a first number goes to the mail only', async () => {
    const user = await make.user(office.world.db);
    const first = nextPhone();
    await change(user.id, { phone: first });
    await change(user.id, { phone: null });
    const texts = (await mailsTo(office.world.db, user.email)).map(({ text }) => text);
    expect(texts).toEqual([
      expect.stringContaining('changed the telephone number'),
      expect.stringContaining('removed the telephone number'),
    ]);
    expect(await textsTo(office, first)).toEqual([expect.stringContaining('removed the telephone number')]);
  });

  test('ends every session, and the codes that went to the old number', async () => {
    const user = await make.user(office.world.db);
    const old = await provePhone(office, user.id);
    const token = await signIn(office.world, user);
    await post('/auth/2fa/setup', { method: 'SMS', password: user.password }, token);
    const code = await lastCodeTo(office, old);
    await change(user.id, { phone: nextPhone() });
    expect(verdict(await me(token))).toBe('401 UNAUTHORIZED');
    const again = await signIn(office.world, user);
    expect(verdict(await post('/auth/2fa/verify', { code }, again))).toBe('400 CODE_EXPIRED');
  });

  test('together with the e-mail address: the new address and the old one both read of it', async () => {
    const user = await make.user(office.world.db);
    const [old, email] = [await provePhone(office, user.id), nextEmail()];
    await change(user.id, { email, phone: null });
    for (const address of [user.email, email]) {
      const [mail, ...more] = await mailsTo(office.world.db, address);
      expect(more).toEqual([]);
      expect(mail!.text).toContain('removed the telephone number');
    }
    expect(await textsTo(office, old)).toHaveLength(1);
  });
});

test('other changes and notes send no message and end no session', async () => {
  const user = await make.user(office.world.db);
  const token = await signIn(office.world, user);
  const phone = await provePhone(office, user.id);
  await change(user.id, { email: user.email, phone, profile: { firstName: 'Zoë' }, note: 'x' });
  expect(await mailsTo(office.world.db, user.email)).toEqual([]);
  expect(await textsTo(office, phone)).toEqual([]);
  expect(verdict(await me(token))).toBe('200');
});

test('the new address of staff cannot be set by staff: no reset, no session', async () => {
  const colleague = await make.admin(office.world.db);
  const email = nextEmail();
  expect(verdict(await change(colleague.id, { email }))).toBe('403 FORBIDDEN');
  expect(await mailsTo(office.world.db, email)).toEqual([]);
});

test('an erased account is neither changed nor noted about', async () => {
  const user = await make.user(office.world.db);
  await inTransaction(office.world.db, (tx) => eraseAccount(tx, user.id, new Date()));
  for (const body of [{ email: nextEmail() }, { note: 'x' }]) {
    const answer = await change(user.id, body);
    expect([verdict(answer), Object.keys(answer.body.error.details)]).toEqual([
      '400 VALIDATION_ERROR',
      ['id'],
    ]);
  }
});
