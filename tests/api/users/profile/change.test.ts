import { execute, firstRow } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import { ownIdentityServer } from '../../auth/identity-server';
import { StrictProfile } from '../account.shape';

const server = ownIdentityServer();

async function someone(options: Parameters<typeof make.user>[1] = {}) {
  const user = await make.user(server.db, options);
  const { accessToken } = await server.logIn(user);
  const patch = (body: object) =>
    server.http.patch('/api/v1/users/me/profile').auth(accessToken, { type: 'bearer' }).send(body);
  const me = async () =>
    (await server.http.get('/api/v1/users/me').auth(accessToken, { type: 'bearer' })).body.data;
  return { user, patch, me };
}

const whole = {
  firstName: 'Åse-Marie',
  lastName: 'O’Neil van Dyck',
  middleName: 'K',
  dateOfBirth: '1985-12-10',
  countryCode: 'DE',
  region: 'Berlin',
  city: 'Berlin',
  postalCode: '10117',
  addressLine1: 'Unter den Linden 1',
  language: 'de-DE',
  timezone: 'Europe/Berlin',
  currency: 'EUR',
};

describe('200', () => {
  test('the current profile, also in the account', async () => {
    const { patch, me } = await someone();
    const { status, body } = await patch(whole);
    expect(status).toBe(200);
    expect(StrictProfile.parse(body.data)).toEqual({ ...whole, avatarUrl: null });
    expect((await me()).profile).toEqual(body.data);
  });

  test('what is left out stays, null clears, and language tags are normalised', async () => {
    const { patch } = await someone();
    await patch(whole);
    const { body } = await patch({ city: null, language: 'EN-gb', lastName: ' 李娜 ' });
    expect(body.data).toEqual({ ...whole, avatarUrl: null, city: null, language: 'en-GB', lastName: '李娜' });
    expect((await patch({})).body.data).toEqual(body.data);
  });

  test('nothing else can be changed this way', async () => {
    const { user, patch } = await someone();
    const read = () => firstRow<object>(server.db, 'SELECT * FROM users WHERE id = $1', [user.id]);
    const before = await read();
    const { status } = await patch({
      email: 'thief@example.com',
      roles: ['SUPER_ADMIN'],
      status: 'BANNED',
      kycLevel: 'ENHANCED',
      kyc_level: 'ENHANCED',
      emailVerifiedAt: null,
      passwordHash: 'x',
      phone: '+4930901820',
      homeRegion: 'x',
    });
    expect(status).toBe(200);
    expect({ ...(await read()), updatedAt: null }).toEqual({ ...before, updatedAt: null });
  });

  test('avatarUrl: null removes the picture', async () => {
    const { user, patch, me } = await someone();
    await execute(server.db, `UPDATE users SET avatar_url = 'https://x.example/a' WHERE id = $1`, [user.id]);
    expect((await me()).profile.avatarUrl).toBe('https://x.example/a');
    expect((await patch({ avatarUrl: null })).body.data.avatarUrl).toBeNull();
  });
});

describe('400 VALIDATION_ERROR', () => {
  const next = `${new Date().getUTCFullYear() + 1}-01-01`;
  test.each([
    ['firstName', 'A'],
    ['firstName', 'Ada1'],
    ['firstName', null],
    ['lastName', 'Love--lace'],
    ['lastName', '<b>Ada</b>'],
    ['lastName', 'x'.repeat(101)],
    ['dateOfBirth', next],
    ['dateOfBirth', '1850-01-01'],
    ['dateOfBirth', '2001-02-30'],
    ['avatarUrl', 'https://watching.example/pixel.png'],
    ['countryCode', 'de'],
    ['city', ''],
    ['city', 'nul \u0000'],
    ['language', 'deutsch!'],
    ['language', 'x'],
    ['timezone', 'Mars/Olympus'],
    ['timezone', '+01:00'],
    ['currency', 'eur'],
    ['currency', 'ZZZ'],
  ])('%s: %j', async (field, value) => {
    const { patch } = await someone();
    const { status, body } = await patch({ [field]: value });
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(Object.keys(body.error.details)).toEqual([field]);
  });

  test.each(['STANDARD', 'ENHANCED'] as const)('names and birth once %s was verified', async (kycLevel) => {
    const { patch } = await someone({ kycLevel });
    const { status, body } = await patch({ firstName: 'Eve', dateOfBirth: '1990-01-01', city: 'Rome' });
    expect([status, body.error.details]).toEqual([
      400,
      { firstName: expect.any(Array), dateOfBirth: expect.any(Array) },
    ]);
    expect((await patch({ city: 'Rome' })).body.data).toMatchObject({ firstName: 'Ada', city: 'Rome' });
  });
});

test('401 UNAUTHORIZED without a token', async () => {
  const { status, body } = await server.http.patch('/api/v1/users/me/profile').send({});
  expect([status, body.error.code]).toEqual([401, 'UNAUTHORIZED']);
});
