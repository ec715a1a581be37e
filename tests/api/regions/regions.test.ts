import { z } from 'zod';
import { make } from '../../support/builders/make';
import { ownIdentityServer } from '../auth/identity-server';

const hosts = { EU: ['eu.shop.example', 'shop.example'], US: ['us.shop.example'] };
const server = ownIdentityServer({ REGION_HOSTS: JSON.stringify(hosts), TRUST_PROXY: '1' });

describe('GET /regions', () => {
  const Region = z.enum(['EU', 'US', 'APAC']);
  const Regions = z.strictObject({
    success: z.literal(true),
    data: z.strictObject({
      regions: z.array(z.strictObject({ code: Region, hosts: z.array(z.string()) })),
      detected: Region.nullable(),
      chosen: Region.nullable(),
      current: Region,
    }),
  });

  async function regions(headers: Record<string, string> = {}) {
    const { status, body } = await server.http.get('/api/v1/regions').set(headers);
    expect(status).toBe(200);
    return Regions.parse(body).data;
  }

  test('lists all regions with their hosts; nothing is known of a caller on this machine', async () => {
    expect(await regions()).toEqual({
      regions: [
        { code: 'EU', hosts: hosts.EU },
        { code: 'US', hosts: hosts.US },
        { code: 'APAC', hosts: [] },
      ],
      ...{ detected: null, chosen: null, current: 'EU' },
    });
  });

  test.each([
    ['8.8.8.8', 'US'],
    ['133.11.0.1', 'APAC'],
    ['193.99.144.80', 'EU'],
  ])('a caller from %s is detected in %s', async (address, region) => {
    expect(await regions({ 'X-Forwarded-For': address })).toMatchObject({
      ...{ detected: region, chosen: null, current: region },
    });
  });

  test.each([
    ['8.8.8.8:4321', 'US'],
    [' 8.8.8.8 ', 'US'],
    ['::ffff:8.8.8.8', 'US'],
    ['[2001:4860:4860::8888]:443', 'US'],
    ['2001:4860:4860::8888', 'US'],
  ])('a caller from %j is detected in %s', async (forwarded, region) => {
    expect(await regions({ 'X-Forwarded-For': forwarded })).toMatchObject({ detected: region });
  });

  test.each(['unknown', '_hidden', '8.8.8.8.', '8.8.8.8:x', '[8.8.8.8', '8'.repeat(3_000)])(
    'what is no address, as %.20j, is not taken for one',
    async (forwarded) => {
      expect(await regions({ 'X-Forwarded-For': forwarded })).toMatchObject({
        detected: null,
        current: 'EU',
      });
    },
  );

  test('a proxy that is trusted by its address is trusted where its port is forwarded too', async () => {
    const { body } = await server
      .start({ TRUST_PROXY: 'loopback, 10.0.0.0/8' })
      .get('/api/v1/regions')
      .set('X-Forwarded-For', '8.8.8.8:4321, 10.1.2.3:9999');
    expect(body.data).toMatchObject({ detected: 'US' });
  });

  test('the choice counts before the host, the host before what is detected', async () => {
    const fromJapan = { 'X-Forwarded-For': '133.11.0.1' };
    const onUsHost = { ...fromJapan, Host: 'us.shop.example' };
    expect(await regions(onUsHost)).toMatchObject({ detected: 'APAC', chosen: null, current: 'US' });
    expect(await regions({ ...onUsHost, Cookie: 'svc_region=EU' })).toMatchObject({
      ...{ detected: 'APAC', chosen: 'EU', current: 'EU' },
    });
  });

  test('a choice that is no region is none', async () => {
    expect(await regions({ Cookie: 'svc_region=MARS' })).toMatchObject({ chosen: null, current: 'EU' });
  });

  test('an address that a caller made up changes nothing without a trusted proxy', async () => {
    const { body } = await server
      .start({ TRUST_PROXY: '' })
      .get('/api/v1/regions')
      .set('X-Forwarded-For', '8.8.8.8');
    expect(body.data).toMatchObject({ detected: null, current: 'EU' });
  });
});

describe('PUT /regions/current', () => {
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
});
