import { v7 } from 'uuid';
import { make } from '../../../support/builders/make';
import { ownIdentityServer } from '../../auth/identity-server';

const server = ownIdentityServer();

async function someone(addresses = 1) {
  const user = await make.user(server.db);
  const ids: string[] = [];
  for (let i = 0; i < addresses; i++)
    ids.push(await make.address(server.db, user.id, { isDefault: i === 0 }));
  const { accessToken } = await server.logIn(user);
  const remove = (id: string) =>
    server.http.delete(`/api/v1/users/me/addresses/${id}`).auth(accessToken, { type: 'bearer' });
  const list = async (): Promise<{ id: string; isDefault: boolean }[]> =>
    (await server.http.get('/api/v1/users/me/addresses').auth(accessToken, { type: 'bearer' })).body.data
      .addresses;
  return { user, ids, remove, list };
}

const refused = ({ status, body }: { status: number; body: { error: { code: string } } }) => [
  status,
  body.error.code,
];

describe('200', () => {
  test('it is gone, and the default stays where it is', async () => {
    const { ids, remove, list } = await someone(3);
    const { status, body } = await remove(ids[1]!);
    expect(status).toBe(200);
    expect(body).toEqual({ success: true, data: { message: expect.any(String), addressId: ids[1] } });
    expect((await list()).map(({ id, isDefault }) => [id, isDefault])).toEqual([
      [ids[2], false],
      [ids[0], true],
    ]);
  });

  test('after the default the newest other is the default; after the last there is no default', async () => {
    const { ids, remove, list } = await someone(3);
    await remove(ids[0]!);
    expect((await list()).filter(({ isDefault }) => isDefault).map(({ id }) => id)).toEqual([ids[2]]);
    await remove(ids[2]!);
    expect((await list()).filter(({ isDefault }) => isDefault).map(({ id }) => id)).toEqual([ids[1]]);
    await remove(ids[1]!);
    expect(await list()).toEqual([]);
  });

  test('of what is left after removals at once, one is the default', async () => {
    const { ids, remove, list } = await someone(6);
    const answers = await Promise.all(ids.slice(0, 4).map((id) => remove(id)));
    expect(answers.map(({ status }) => status)).toEqual(Array(4).fill(200));
    const left = await list();
    expect(left.map(({ id }) => id).sort()).toEqual(ids.slice(4).sort());
    expect(left.filter(({ isDefault }) => isDefault)).toHaveLength(1);
  });
});

describe('404 ADDRESS_NOT_FOUND', () => {
  test('for another’s as for a missing one, and for one that is gone', async () => {
    const [mine, theirs] = [await someone(), await someone()];
    const gone = mine.ids[0]!;
    await mine.remove(gone);
    for (const id of [theirs.ids[0]!, v7(), gone])
      expect(refused(await mine.remove(id))).toEqual([404, 'ADDRESS_NOT_FOUND']);
    expect(await theirs.list()).toHaveLength(1);
  });

  test('of two removals at once one finds it', async () => {
    const { ids, remove } = await someone(2);
    const answers = await Promise.all([remove(ids[0]!), remove(ids[0]!)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
  });
});

test('400 VALIDATION_ERROR for an invalid id', async () => {
  const { remove } = await someone();
  expect(refused(await remove('1'))).toEqual([400, 'VALIDATION_ERROR']);
});

test('401 UNAUTHORIZED without a token', async () => {
  const answer = await server.http.delete(`/api/v1/users/me/addresses/${v7()}`);
  expect(refused(answer)).toEqual([401, 'UNAUTHORIZED']);
});
