import { execute } from '../../../../db/sql/query';
import { ownIdentityServer } from '../../auth/identity-server';
import {
  givePhone,
  lastCode,
  letCodesExpire,
  not,
  refusalOf,
  signedIn,
  type Person,
} from '../../auth/two-factor/guarded';

const server = ownIdentityServer();
let numbers = 0;
const nextPhone = () => `+4930902${String(++numbers).padStart(3, '0')}`;

const verify = ({ post }: Person, code: string) => post('/users/me/phone/verify', { code });

async function codeSent() {
  const person = await signedIn(server);
  const phone = nextPhone();
  await person.post('/users/me/phone', { phone });
  return { person, phone, code: await lastCode(server, person.user) };
}

const phoneOf = ({ user: { id } }: Person) =>
  server.one('SELECT phone, phone_verified_at IS NOT NULL AS verified FROM users WHERE id = $1', [id]);

describe('200', () => {
  test('the number is mine and replaces the one before', async () => {
    const { person, phone, code } = await codeSent();
    await givePhone(server, person.user);
    const { status, body } = await verify(person, code);
    expect(status).toBe(200);
    expect(body).toEqual({ success: true, data: { phone, phoneVerified: true } });
    expect(await phoneOf(person)).toEqual({ phone, verified: true });
  });

  test('of many at once one is answered', async () => {
    const { person, code } = await codeSent();
    const answers = await Promise.all(Array.from({ length: 10 }, () => verify(person, code)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(400)]);
  });

  test('API2: a factor set up for the number before is not enabled for this one', async () => {
    const { person, code } = await codeSent();
    await givePhone(server, person.user);
    await person.post('/auth/2fa/setup', { method: 'SMS' });
    const ofSetup = await lastCode(server, person.user);
    await verify(person, code);
    expect(await refusalOf(person.post('/auth/2fa/verify', { code: ofSetup }))).toBe(
      '400 SETUP_NOT_INITIATED',
    );
  });
});

describe('refusals', () => {
  test.each(['12345', 'abcdef', ''])('400 VALIDATION_ERROR: %j', async (code) => {
    const { person } = await codeSent();
    expect(await refusalOf(verify(person, code))).toBe('400 VALIDATION_ERROR');
  });

  test('400 SETUP_NOT_INITIATED: no code was requested, or it was used', async () => {
    expect(await refusalOf(verify(await signedIn(server), '123456'))).toBe('400 SETUP_NOT_INITIATED');
    const { person, code } = await codeSent();
    await verify(person, code);
    expect(await refusalOf(verify(person, code))).toBe('400 SETUP_NOT_INITIATED');
  });

  test('400 SETUP_NOT_INITIATED: the number became another’s meanwhile; of two one has it', async () => {
    const [first, second] = [await signedIn(server), await signedIn(server)];
    const phone = nextPhone();
    for (const { post } of [first, second]) await post('/users/me/phone', { phone });
    const answers = await Promise.all(
      [first, second].map(async (person) => verify(person, await lastCode(server, person.user))),
    );
    expect(answers.map(({ status, body }) => `${status} ${body.error?.code ?? ''}`).sort()).toEqual([
      '200 ',
      '400 SETUP_NOT_INITIATED',
    ]);
  });

  test('400 INVALID_CODE: wrong, and after 5 wrong ones the right one too', async () => {
    const { person, code } = await codeSent();
    for (let i = 0; i < 5; i++) expect(await refusalOf(verify(person, not(code)))).toBe('400 INVALID_CODE');
    expect(await refusalOf(verify(person, code))).toBe('400 INVALID_CODE');
    expect(await phoneOf(person)).toEqual({ phone: null, verified: false });
  });

  test('400 CODE_EXPIRED after 10 minutes', async () => {
    const { person, code } = await codeSent();
    await letCodesExpire(server, person.user);
    expect(await refusalOf(verify(person, code))).toBe('400 CODE_EXPIRED');
  });

  test('API2: 403 FORBIDDEN when sign-in by SMS was turned on meanwhile', async () => {
    const { person, code } = await codeSent();
    const before = await givePhone(server, person.user);
    await person.post('/auth/2fa/setup', { method: 'SMS' });
    await person.post('/auth/2fa/verify', { code: await lastCode(server, person.user) });
    expect(await refusalOf(verify(person, code))).toBe('403 FORBIDDEN');
    expect(await phoneOf(person)).toEqual({ phone: before, verified: true });
  });

  test('401 UNAUTHORIZED without a token; another’s code does not count', async () => {
    const { person, code } = await codeSent();
    expect(await refusalOf(server.http.post('/api/v1/users/me/phone/verify').send({ code }))).toBe(
      '401 UNAUTHORIZED',
    );
    expect(await refusalOf(verify(await signedIn(server), code))).toBe('400 SETUP_NOT_INITIATED');
    await execute(server.db, 'UPDATE sent_codes SET tries = 4 WHERE user_id = $1', [person.user.id]);
    expect((await verify(person, code)).status).toBe(200);
  });
});
