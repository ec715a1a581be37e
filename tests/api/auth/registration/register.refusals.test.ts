import { firstRow, rows } from '../../../../db/sql/query';
import { mailsTo } from '../../../support/checks/mail';
import { make } from '../../../support/builders/make';
import { askAuth, newcomer, password, refusedWith } from '../../../support/builders/registering';
import { startWorld, type World } from '../../../support/worlds/world';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.teardown());

const register = (body: object) => askAuth(world, 'register', body);
const userOf = (email: string) => firstRow(world.db, 'SELECT id FROM users WHERE email = $1', [email]);
const pendingRegistrations = () => rows(world.db, 'SELECT user_id FROM pending_registrations');

describe('400 VALIDATION_ERROR', () => {
  test.each([
    ['email', { email: 'nobody' }],
    ['email', { email: `${'x'.repeat(250)}@example.com` }],
    ['password', { password: 'Short-7' }],
    ['password', { password: 'no-upper-case-7' }],
    ['password', { password: 'NO-LOWER-CASE-7' }],
    ['password', { password: 'No-Digit-At-All' }],
    ['password', { password: `${password}${'x'.repeat(128)}` }],
    ['firstName', { firstName: 'G' }],
    ['firstName', { firstName: 'Gr4ce' }],
    ['lastName', { lastName: 'Hopper\r\nBcc: all@example.com' }],
    ['lastName', { lastName: '-Hopper' }],
    ['lastName', { lastName: 'Hopper  Ho' }],
    ['lastName', { lastName: 'x'.repeat(101) }],
    ['lastName', { lastName: '<b>Hopper</b>' }],
    ['phone', { phone: '030901820' }],
    ['phone', { phone: '+49301' }],
    ['acceptTerms', { acceptTerms: false }],
    ['acceptTerms', { acceptTerms: 'true' }],
    ['acceptPrivacy', { acceptPrivacy: undefined }],
    ['acceptMarketing', { acceptMarketing: 'yes' }],
    ['referralCode', { referralCode: '' }],
  ])('%s: %j', async (field, wrong) => {
    const body = newcomer(wrong);
    const answer = await register(body);
    expect(refusedWith(answer)).toEqual({ status: 400, code: 'VALIDATION_ERROR' });
    expect(Object.keys(answer.body.error.details)).toEqual([field]);
    expect(await userOf(body.email)).toBeNull();
  });

  test('every letter of a long password counts', async () => {
    const body = newcomer({ password: `${'Long-enough-7-'.repeat(9)}A1` });
    expect((await register(body)).status).toBe(201);
    await askAuth(world, 'verify-email', { token: (await mailsTo(world.db, body.email))[0]!.token! });
    const logIn = (tried: string) => askAuth(world, 'login', { email: body.email, password: tried });
    expect((await logIn(body.password.slice(0, -1))).status).toBe(401);
    expect((await logIn(body.password)).status).toBe(200);
  });
});

describe('400 PASSWORD_TOO_WEAK', () => {
  test.each([
    ['Password123', {}],
    ['Qwertyuiop1', {}],
    ['Abcd1234', {}],
    [`Aa1${'a'.repeat(120)}`, {}],
    ['Hopper1906!', {}],
    ['GraceHopper1!', {}],
    ['Wojciechowska12', { lastName: 'Wojciechowska' }],
  ])('%s', async (weak, changes) => {
    const answer = await register(newcomer({ password: weak, ...changes }));
    expect(refusedWith(answer)).toEqual({ status: 400, code: 'PASSWORD_TOO_WEAK' });
    expect(answer.body.error.details).toEqual({ password: [expect.any(String)] });
  });
});

describe('409', () => {
  test('EMAIL_ALREADY_EXISTS, however the address is written', async () => {
    const body = newcomer();
    await register(body);
    const again = await register({ ...newcomer(), email: ` ${body.email.toUpperCase()} ` });
    expect(refusedWith(again)).toEqual({ status: 409, code: 'EMAIL_ALREADY_EXISTS' });
    expect(again.body.error.details).toEqual({ email: [expect.any(String)] });
    expect(await mailsTo(world.db, body.email)).toHaveLength(1);
    expect(await pendingRegistrations()).toEqual([]);
  });

  test('PHONE_ALREADY_EXISTS', async () => {
    const phone = '+14155552671';
    await register(newcomer({ phone }));
    const body = newcomer({ phone });
    const again = await register(body);
    expect(refusedWith(again)).toEqual({ status: 409, code: 'PHONE_ALREADY_EXISTS' });
    expect(await userOf(body.email)).toBeNull();
  });
});

test('404 INVALID_REFERRAL_CODE for a named one', async () => {
  const { referralCode } = await make.partner(world.db, { status: 'TERMINATED' });
  for (const code of ['NOBODY', referralCode]) {
    const answer = await register(newcomer({ referralCode: code }));
    expect(refusedWith(answer)).toEqual({ status: 404, code: 'INVALID_REFERRAL_CODE' });
  }
});

test('the input of a refused registration is deleted', async () => {
  const { email } = newcomer();
  await register(newcomer({ email }));
  await register(newcomer({ email }));
  expect(await pendingRegistrations()).toEqual([]);
});
