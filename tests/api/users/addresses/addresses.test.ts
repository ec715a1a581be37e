import { z } from 'zod';
import { v7 } from 'uuid';
import { execute } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import { signIn } from '../../../support/builders/sign-in';
import { ownIdentityServer } from '../../auth/identity-server';

const server = ownIdentityServer();

const refused = ({ status, body }: { status: number; body: { error: { code: string } } }) => [
  status,
  body.error.code,
];

describe('GET /users/me/addresses', () => {
  const list = (accessToken: string) =>
    server.http.get('/api/v1/users/me/addresses').auth(accessToken, { type: 'bearer' });

  const ListAnswer = z.strictObject({
    success: z.literal(true),
    data: z.strictObject({
      addresses: z.array(
        z.strictObject({
          id: z.uuid(),
          label: z.string().nullable(),
          isDefault: z.boolean(),
          recipientName: z.string(),
          street: z.string(),
          city: z.string(),
          region: z.string().nullable(),
          country: z.string(),
          postalCode: z.string(),
          phone: z.string().nullable(),
          createdAt: z.iso.datetime(),
          updatedAt: z.iso.datetime(),
        }),
      ),
    }),
  });

  test('200: my addresses, newest first, and nobody else’s', async () => {
    const [me, other] = [await make.user(server.db), await make.user(server.db)];
    const first = await make.address(server.db, me.id, { label: 'Home', isDefault: true });
    const second = await make.address(server.db, me.id, {
      label: 'AdminWorld',
      region: 'Bayern',
      city: 'München',
    });
    await make.address(server.db, other.id);
    const accessToken = await signIn(server, me);
    const { status, body } = await list(accessToken);
    expect(status).toBe(200);
    const { addresses } = ListAnswer.parse(body).data;
    expect(addresses.map(({ id, label, region, city }) => ({ id, label, region, city }))).toEqual([
      { id: second, label: 'AdminWorld', region: 'Bayern', city: 'München' },
      { id: first, label: 'Home', region: null, city: 'Berlin' },
    ]);
  });

  test('200: an empty list', async () => {
    const accessToken = await signIn(server, await make.user(server.db));
    expect((await list(accessToken)).body).toEqual({ success: true, data: { addresses: [] } });
  });
});

describe('POST /users/me/addresses', () => {
  const home = {
    recipientName: 'Ada Lovelace',
    street: 'Unter den Linden 1',
    city: 'Berlin',
    country: 'DE',
    postalCode: '10117',
  };

  async function someone() {
    const user = await make.user(server.db);
    const accessToken = await signIn(server, user);
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
      const sentAt = Date.now();
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
        meta: { ignored: ['userId', 'createdAt'] },
      });
      expect(Date.parse(body.data.createdAt)).toBeGreaterThanOrEqual(sentAt - 1);
      expect(Date.parse(body.data.createdAt)).toBeLessThanOrEqual(Date.now() + 1);
      expect(await list()).toEqual([body.data]);
      const row = await server.one('SELECT user_id FROM addresses WHERE id = $1', [body.data.id]);
      expect(row).toEqual({ userId: user.id });
    });

    test('what may be left out is null, and space around texts goes', async () => {
      const { add } = await someone();
      const { body } = await add({ ...home, city: '  Berlin ', label: null });
      expect(body.data).toMatchObject({ city: 'Berlin', label: null, region: null, phone: null });
    });

    test('a country without postal codes has none, and full-width digits are digits', async () => {
      const { add } = await someone();
      expect((await add({ ...home, country: 'HK', postalCode: '' })).body.data.postalCode).toBe('');
      const inJapan = await add({ ...home, country: 'JP', postalCode: '１００－０００１' });
      expect(inJapan.body.data.postalCode).toBe('100-0001');
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
      ['postalCode', { postalCode: 'ABCDE' }],
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
});

describe('PATCH /users/me/addresses/:id', () => {
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
    const accessToken = await signIn(server, user);
    const change = (id: string, body: object) =>
      server.http.patch(`/api/v1/users/me/addresses/${id}`).auth(accessToken, { type: 'bearer' }).send(body);
    const list = async (): Promise<Address[]> =>
      (await server.http.get('/api/v1/users/me/addresses').auth(accessToken, { type: 'bearer' })).body.data
        .addresses;
    const defaults = async () => (await list()).filter(({ isDefault }) => isDefault).map(({ id }) => id);
    return { user, ids, change, list, defaults };
  }

  describe('200', () => {
    test('what was sent is changed, the rest stays; null clears', async () => {
      const { ids, change, list } = await someone();
      const [before] = await list();
      const { status, body } = await change(ids[0]!, {
        city: ' Potsdam ',
        label: null,
        phone: '+4930901820',
      });
      expect(status).toBe(200);
      expect(body).toEqual({
        success: true,
        data: {
          ...before,
          city: 'Potsdam',
          label: null,
          phone: '+4930901820',
          updatedAt: expect.any(String),
        },
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
});

describe('DELETE /users/me/addresses/:id', () => {
  async function someone(addresses = 1) {
    const user = await make.user(server.db);
    const ids: string[] = [];
    for (let i = 0; i < addresses; i++)
      ids.push(await make.address(server.db, user.id, { isDefault: i === 0 }));
    const accessToken = await signIn(server, user);
    const remove = (id: string) =>
      server.http.delete(`/api/v1/users/me/addresses/${id}`).auth(accessToken, { type: 'bearer' });
    const list = async (): Promise<{ id: string; isDefault: boolean }[]> =>
      (await server.http.get('/api/v1/users/me/addresses').auth(accessToken, { type: 'bearer' })).body.data
        .addresses;
    return { user, ids, remove, list };
  }

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
});
