import { z } from 'zod';
import { make } from '../../../support/builders/make';
import { ownIdentityServer } from '../../auth/identity-server';

const server = ownIdentityServer();

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
  const { accessToken } = await server.logIn(me);
  const { status, body } = await list(accessToken);
  expect(status).toBe(200);
  const { addresses } = ListAnswer.parse(body).data;
  expect(addresses.map(({ id, label, region, city }) => ({ id, label, region, city }))).toEqual([
    { id: second, label: 'AdminWorld', region: 'Bayern', city: 'München' },
    { id: first, label: 'Home', region: null, city: 'Berlin' },
  ]);
});

test('200: an empty list', async () => {
  const { accessToken } = await server.logIn(await make.user(server.db));
  expect((await list(accessToken)).body).toEqual({ success: true, data: { addresses: [] } });
});

test('401 UNAUTHORIZED without a token', async () => {
  const { status, body } = await server.http.get('/api/v1/users/me/addresses');
  expect({ status, code: body.error.code }).toEqual({ status: 401, code: 'UNAUTHORIZED' });
});
