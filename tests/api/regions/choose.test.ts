import { make } from '../../support/builders/make';
import { ownIdentityServer } from '../auth/identity-server';

const server = ownIdentityServer({ TRUST_PROXY: '1' });
const choose = (body: object) => server.http.put('/api/v1/regions/current').send(body);

test('keeps the choice in a cookie for a year', async () => {
  const { status, body, headers } = await choose({ region: 'APAC' });
  expect(status).toBe(200);
  expect(body).toEqual({ success: true, data: { region: 'APAC' } });
  const [cookie, ...others] = headers['set-cookie'] as unknown as string[];
  expect(others).toEqual([]);
  expect(cookie!.split('; ').filter((part) => !part.startsWith('Expires='))).toEqual([
    ...['svc_region=APAC', `Max-Age=${365 * 24 * 3600}`, 'Path=/', 'HttpOnly', 'Secure', 'SameSite=Lax'],
  ]);
  const { body: listed } = await server.http.get('/api/v1/regions').set('Cookie', cookie!.split(';')[0]!);
  expect(listed.data).toMatchObject({ chosen: 'APAC', current: 'APAC' });
});

test.each([[{}], [{ region: 'MARS' }], [{ region: 'eu' }], [{ region: null }], [{ region: ['EU'] }]])(
  '%j is refused, naming the field',
  async (request) => {
    const { status, body, headers } = await choose(request);
    expect({ status, code: body.error.code }).toEqual({ status: 400, code: 'VALIDATION_ERROR' });
    expect(Object.keys(body.error.details)).toEqual(['region']);
    expect(headers['set-cookie']).toBeUndefined();
  },
);

test('login goes by the choice, else by where the caller is, and notes where that was', async () => {
  const email = 'everywhere@example.com';
  const [eu, us] = [
    await make.user(server.db, { email, region: 'EU' }),
    await make.user(server.db, { email, region: 'US' }),
  ];
  const signedIn = async (headers: Record<string, string>) => {
    const { password } = eu;
    const { body } = await server.http.post('/api/v1/auth/login').set(headers).send({ email, password });
    return body.data.user.id;
  };
  const fromAmerica = { 'X-Forwarded-For': '8.8.8.8' };
  expect(await signedIn(fromAmerica)).toBe(us.id);
  expect(await signedIn({ ...fromAmerica, Cookie: 'svc_region=EU' })).toBe(eu.id);
  expect(await signedIn({})).toBe(eu.id);
  const places = (userId: string) =>
    server.one<{ places: unknown[] }>(
      'SELECT array_agg(country ORDER BY created_at) AS places FROM sessions WHERE user_id = $1',
      [userId],
    );
  expect(await places(us.id)).toEqual({ places: ['US'] });
  expect(await places(eu.id)).toEqual({ places: ['US', null] });
});
