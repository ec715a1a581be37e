import { z } from 'zod';
import { ownIdentityServer } from '../auth/identity-server';

const hosts = { EU: ['eu.shop.example', 'shop.example'], US: ['us.shop.example'] };
const server = ownIdentityServer({ REGION_HOSTS: JSON.stringify(hosts), TRUST_PROXY: '1' });

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
