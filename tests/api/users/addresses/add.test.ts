import { execute } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import { ownIdentityServer } from '../../auth/identity-server';

const server = ownIdentityServer();

const home = {
  recipientName: 'Ada Lovelace',
  street: 'Unter den Linden 1',
  city: 'Berlin',
  country: 'DE',
  postalCode: '10117',
};

async function someone() {
  const user = await make.user(server.db);
  const { accessToken } = await server.logIn(user);
  const add = (body: object, key?: string) => {
    const post = server.http.post('/api/v1/users/me/addresses').auth(accessToken, { type: 'bearer' });
    return (key === undefined ? post : post.set('Idempotency-Key', key)).send(body);
  };
  const list = async (): Promise<{ id: string; label: string; isDefault: boolean }[]> =>
    (await server.http.get('/api/v1/users/me/addresses').auth(accessToken, { type: 'bearer' })).body.data
      .addresses;
  return { user, add, list, defaults: async () => (await list()).filter(({ isDefault }) => isDefault) };
}

describe('201', () => {
  test('the address as it was saved', async () => {
    const { user, add, list } = await someone();
    const whole = { ...home, label: 'Home', region: 'Berlin', phone: '+4930901820', isDefault: true };
    const { status, body } = await add({
      ...whole,
      userId: 'somebody',
      createdAt: '2000-01-01T00:00:00.000Z',
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      success: true,
      data: {
        ...whole,
        id: expect.any(String),
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
    });
    expect(Date.now() - Date.parse(body.data.createdAt)).toBeLessThan(60_000);
    expect(await list()).toEqual([body.data]);
    const row = await server.one('SELECT user_id FROM addresses WHERE id = $1', [body.data.id]);
    expect(row).toEqual({ userId: user.id });
  });

  test('what may be left out is null, and space around texts goes', async () => {
    const { add } = await someone();
    const { body } = await add({ ...home, city: '  Berlin ', label: null });
    expect(body.data).toMatchObject({ city: 'Berlin', label: null, region: null, phone: null });
  });

  test('the first becomes the default; a new default replaces it; others leave it', async () => {
    const { add, defaults } = await someone();
    const labels = async () => (await defaults()).map(({ label }) => label);
    await add({ ...home, label: 'first', isDefault: false });
    expect(await labels()).toEqual(['first']);
    await add({ ...home, label: 'second' });
    expect(await labels()).toEqual(['first']);
    await add({ ...home, label: 'third', isDefault: true });
    expect(await labels()).toEqual(['third']);
  });

  test('of several defaults saved at once one is the default', async () => {
    const { add, list, defaults } = await someone();
    const answers = await Promise.all(Array.from({ length: 8 }, () => add({ ...home, isDefault: true })));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(201));
    expect(await list()).toHaveLength(8);
    expect(await defaults()).toHaveLength(1);
  });

  test('sent twice under one Idempotency-Key, it is saved once', async () => {
    const { add, list } = await someone();
    const [first, second] = [await add(home, 'key-1'), await add(home, 'key-1')];
    expect(second.body).toEqual(first.body);
    expect([second.status, second.headers['idempotent-replayed']]).toEqual([201, 'true']);
    expect(await list()).toHaveLength(1);
    await add(home, 'key-2');
    expect(await list()).toHaveLength(2);
  });

  test('a try that broke off before its answer was kept finds its address again', async () => {
    const { user, add, list } = await someone();
    const first = await add(home, 'key-1');
    await execute(
      server.db,
      `UPDATE idempotency_keys SET state = 'OPEN', status = NULL, body = NULL WHERE owner LIKE $1`,
      [`%${user.id}%`],
    );
    const second = await add(home, 'key-1');
    expect(second.headers['idempotent-replayed']).toBeUndefined();
    expect(second.body).toEqual(first.body);
    expect(await list()).toHaveLength(1);
  });
});

describe('400 VALIDATION_ERROR', () => {
  test.each([
    ['recipientName', { recipientName: undefined }],
    ['recipientName', { recipientName: '   ' }],
    ['street', { street: 'x'.repeat(201) }],
    ['city', { city: 5 }],
    ['postalCode', { postalCode: '' }],
    ['country', { country: 'de' }],
    ['country', { country: 'DEU' }],
    ['country', { country: 'ZZ' }],
    ['phone', { phone: '030 901820' }],
    ['phone', { phone: '4930901820' }],
    ['phone', { phone: '+49 30 901820' }],
    ['phone', { phone: '+491' }],
    ['isDefault', { isDefault: 'yes' }],
    ['label', { label: 'nul \u0000' }],
  ])('%s', async (field, wrong) => {
    const { add, list } = await someone();
    const { status, body } = await add({ ...home, ...wrong });
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: 'VALIDATION_ERROR', details: { [field]: expect.any(Array) } });
    expect(await list()).toEqual([]);
  });

  test('the 21st, also when it comes with the 20th', async () => {
    const { user, add, list } = await someone();
    for (let i = 0; i < 19; i++) await make.address(server.db, user.id);
    const answers = await Promise.all([add(home), add(home), add(home)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
    expect(answers.find(({ status }) => status === 400)!.body.error.code).toBe('VALIDATION_ERROR');
    expect(await list()).toHaveLength(20);
  });
});

test('401 UNAUTHORIZED without a token', async () => {
  const { status, body } = await server.http.post('/api/v1/users/me/addresses').send(home);
  expect({ status, code: body.error.code }).toEqual({ status: 401, code: 'UNAUTHORIZED' });
});
