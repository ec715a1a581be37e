import { v7 } from 'uuid';
import { make } from '../../../support/builders/make';
import { ownIdentityServer } from '../../auth/identity-server';

const server = ownIdentityServer();

interface Address {
  id: string;
  label: string | null;
  city: string;
  isDefault: boolean;
}

async function someone(addresses = 1) {
  const user = await make.user(server.db);
  const ids: string[] = [];
  for (let i = 0; i < addresses; i++)
    ids.push(await make.address(server.db, user.id, { label: `${i}`, isDefault: i === 0 }));
  const { accessToken } = await server.logIn(user);
  const change = (id: string, body: object) =>
    server.http.patch(`/api/v1/users/me/addresses/${id}`).auth(accessToken, { type: 'bearer' }).send(body);
  const list = async (): Promise<Address[]> =>
    (await server.http.get('/api/v1/users/me/addresses').auth(accessToken, { type: 'bearer' })).body.data
      .addresses;
  const defaults = async () => (await list()).filter(({ isDefault }) => isDefault).map(({ id }) => id);
  return { user, ids, change, list, defaults };
}

const refused = ({ status, body }: { status: number; body: { error: { code: string } } }) => [
  status,
  body.error.code,
];

describe('200', () => {
  test('what was sent is changed, the rest stays; null clears', async () => {
    const { ids, change, list } = await someone();
    const [before] = await list();
    const { status, body } = await change(ids[0]!, { city: ' Potsdam ', label: null, phone: '+4930901820' });
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      data: { ...before, city: 'Potsdam', label: null, phone: '+4930901820', updatedAt: expect.any(String) },
    });
    expect(await list()).toEqual([body.data]);
  });

  test('owner, id and times are not the caller’s to change', async () => {
    const { ids, change, list } = await someone();
    const [before] = await list();
    await change(ids[0]!, { id: v7(), userId: v7(), createdAt: '2000-01-01T00:00:00.000Z' });
    expect(await list()).toEqual([{ ...before, updatedAt: expect.any(String) }]);
  });

  test('a new default replaces the old', async () => {
    const { ids, change, defaults } = await someone(3);
    expect((await change(ids[2]!, { isDefault: true })).body.data.isDefault).toBe(true);
    expect(await defaults()).toEqual([ids[2]]);
  });

  test('the default is passed on, never switched off', async () => {
    const { ids, change, defaults } = await someone(2);
    expect((await change(ids[0]!, { isDefault: false })).body.data.isDefault).toBe(true);
    expect(await defaults()).toEqual([ids[0]]);
  });

  test('of several new defaults at once one is it', async () => {
    const { ids, change, defaults } = await someone(6);
    const answers = await Promise.all(ids.map((id) => change(id, { isDefault: true })));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect(await defaults()).toHaveLength(1);
  });
});

describe('404 ADDRESS_NOT_FOUND', () => {
  test('for another’s as for a missing one', async () => {
    const [mine, theirs] = [await someone(), await someone()];
    const before = await theirs.list();
    for (const id of [theirs.ids[0]!, v7()])
      expect(refused(await mine.change(id, { city: 'Mine' }))).toEqual([404, 'ADDRESS_NOT_FOUND']);
    expect(await theirs.list()).toEqual(before);
  });
});

describe('400 VALIDATION_ERROR', () => {
  test.each([
    ['city', { city: null }],
    ['city', { city: ' ' }],
    ['country', { country: 'de' }],
    ['phone', { phone: '030' }],
    ['isDefault', { isDefault: null }],
  ])('%s', async (field, wrong) => {
    const { ids, change } = await someone();
    const answer = await change(ids[0]!, wrong);
    expect(refused(answer)).toEqual([400, 'VALIDATION_ERROR']);
    expect(Object.keys(answer.body.error.details)).toEqual([field]);
  });

  test('an invalid id', async () => {
    const { change } = await someone();
    expect(refused(await change('1', {}))).toEqual([400, 'VALIDATION_ERROR']);
  });
});

test('401 UNAUTHORIZED without a token', async () => {
  const answer = await server.http.patch(`/api/v1/users/me/addresses/${v7()}`).send({});
  expect(refused(answer)).toEqual([401, 'UNAUTHORIZED']);
});
