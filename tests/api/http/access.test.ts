import fc from 'fast-check';
import request from 'supertest';
import { z } from 'zod';
import { ApiConfig, refuseDemoSecrets } from '../../../api/config';
import { base32, inGroups } from '../../../api/http/auth/base32';
import { AuthConfig, requiresSecondFactor } from '../../../api/http/auth/config';
import { TotpService } from '../../../api/http/auth/totp';
import { endpoint } from '../../../api/http/endpoint';
import type { Auth } from '../../../api/http/handler-context';
import { generalLimit } from '../../../api/http/limits/limits';
import { clientNetwork } from '../../../api/http/client-address/client-address';
import { country, flag, isoDate, money, moneyText } from '../../../api/http/request/fields';
import { TrustedProxies } from '../../../api/http/request/proxies';
import { ownDatabase } from '../../support/servers/database';
import { testVariables } from '../../support/worlds/variables';
import { serverOf } from './shop';
import { unnamed } from './unnamed';

const database = ownDatabase();

describe('access', () => {
  const kinds: readonly Auth[] = ['public', 'optional', 'user', 'admin', 'super-admin'];
  const Who = z.object({ id: z.string().nullable(), originAllowed: z.boolean() });
  const endpoints = kinds.flatMap((auth) =>
    (['get', 'post'] as const).map((method) =>
      endpoint({
        ...unnamed,
        ...{ method, path: `/${auth}`, auth, limit: generalLimit, success: 200, errors: {} },
        body: method === 'post' ? z.object({ needed: z.string() }) : z.object({}),
        data: Who,
        handle: (_input, { caller, request: { originAllowed } }) =>
          Promise.resolve({ id: caller?.id ?? null, originAllowed }),
      }),
    ),
  );
  const settings = {
    CORS_ORIGINS: 'https://shop.example, https://m.shop.example',
    PUBLIC_URL: 'https://api.example/x',
  };
  const server = () => serverOf({ db: database.db, endpoints, settings });

  describe('access to an endpoint', () => {
    const callers = {
      anonymous: null,
      'a bad token': 'bad',
      user: 'u',
      admin: 'a:ADMIN',
      'super admin': 's:SUPER_ADMIN',
    };
    const may: Record<string, number[]> = {
      anonymous: [200, 200, 401, 401, 401],
      'a bad token': [200, 200, 401, 401, 401],
      user: [200, 200, 200, 403, 403],
      admin: [200, 200, 200, 200, 403],
      'super admin': [200, 200, 200, 200, 200],
    };
    it.each(Object.entries(callers))('is decided by auth and role: %s', async (name, token) => {
      const statuses: number[] = [];
      for (const auth of kinds) {
        const call = request(server()).get(`/api/v1/${auth}`);
        if (token !== null) void call.set('Authorization', `Bearer ${token}`);
        const { status, body, headers } = await call;
        statuses.push(status);
        if (status === 401)
          expect([body.error.code, headers['www-authenticate']]).toEqual(['UNAUTHORIZED', 'Bearer']);
        if (status === 403) expect(body.error.code).toBe('FORBIDDEN');
      }
      expect(statuses).toEqual(may[name]);
    });

    it('is checked before validation', async () => {
      const call = (token: string) =>
        request(server()).post('/api/v1/admin').set('Authorization', `Bearer ${token}`).send({});
      expect((await call('bad')).status).toBe(401);
      expect((await call('u')).status).toBe(403);
      expect((await call('a:ADMIN')).status).toBe(400);
    });

    it('gives the caller to the handler, except in a public endpoint', async () => {
      const ask = async (auth: Auth) =>
        (await request(server()).get(`/api/v1/${auth}`).set('Authorization', 'Bearer u')).body.data.id;
      expect([await ask('public'), await ask('optional'), await ask('user')]).toEqual([null, 'u', 'u']);
    });
  });

  describe('a request that is authenticated by cookie', () => {
    const send = (origin: string | null, token: 'cookie' | 'header' = 'cookie', path: Auth = 'user') => {
      const call = request(server()).post(`/api/v1/${path}`).send({ needed: 'x' });
      if (origin !== null) void call.set('Origin', origin);
      return token === 'cookie'
        ? call.set('Cookie', 'a=b; svc_access_token=u; c=d')
        : call.set('Authorization', 'Bearer u');
    };

    it.each([
      null,
      'https://evil.example',
      'null',
      'https://shop.example.evil.example',
      'http://shop.example',
    ])('changes nothing when it comes from %s', async (origin) => {
      const { status, body } = await send(origin);
      expect([status, body.error.code]).toEqual([403, 'FORBIDDEN']);
    });

    it.each(['https://shop.example', 'https://m.shop.example', 'https://api.example'])(
      'does from %s',
      async (origin) => {
        const { status, body } = await send(origin);
        expect([status, body.data]).toEqual([200, { id: 'u', originAllowed: true }]);
      },
    );

    it('may always read; a token in the header needs no origin', async () => {
      const read = await request(server()).get('/api/v1/user').set('Cookie', 'svc_access_token=u');
      expect([read.status, read.body.data]).toEqual([200, { id: 'u', originAllowed: false }]);
      expect((await send('https://evil.example', 'header')).status).toBe(200);
    });

    it('has no caller in a public endpoint, from any origin', async () => {
      const { status, body } = await send('https://evil.example', 'cookie', 'public');
      expect([status, body.data]).toEqual([200, { id: null, originAllowed: false }]);
      expect((await send('https://evil.example', 'cookie', 'optional')).status).toBe(403);
    });

    it('cannot be a form', async () => {
      const form = await request(server())
        .post('/api/v1/user')
        .set({ Cookie: 'svc_access_token=u', Origin: 'https://shop.example' })
        .type('form')
        .send({ needed: 'x' });
      expect(form.status).toBe(415);
    });
  });

  describe('pages of other origins', () => {
    const preflight = (origin: string) =>
      request(server()).options('/api/v1/user').set({
        Origin: origin,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'content-type,idempotency-key',
      });

    it('may send requests and read answers when they are listed', async () => {
      const answer = await preflight('https://shop.example');
      expect(answer.status).toBe(204);
      expect(answer.headers['access-control-allow-origin']).toBe('https://shop.example');
      expect(answer.headers['access-control-allow-credentials']).toBe('true');
      expect(answer.headers['access-control-allow-methods']).toContain('POST');
      expect(answer.headers['access-control-allow-headers']).toMatch(/Idempotency-Key/);
      const read = await request(server()).get('/api/v1/public').set('Origin', 'https://shop.example');
      expect(read.headers['access-control-allow-origin']).toBe('https://shop.example');
      expect(read.headers['access-control-expose-headers']).toContain('X-RateLimit-Remaining');
      expect(read.headers['access-control-expose-headers']).toContain('Content-Disposition');
      expect(read.headers['vary']).toContain('Origin');
    });

    it('may send the headers of the tracing libraries of browsers', async () => {
      const { headers } = await preflight('https://shop.example');
      expect(headers['access-control-allow-headers']).toMatch(/,traceparent,tracestate,baggage,sentry-trace/);
    });

    it('may not when they are not listed', async () => {
      const answer = await preflight('https://evil.example');
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
      const read = await request(server()).get('/api/v1/public').set('Origin', 'https://evil.example');
      expect(read.headers['access-control-allow-origin']).toBeUndefined();
    });
  });

  describe('every answer', () => {
    it.each(['/api/v1/public', '/api/v1/nothing', '/nothing'])(
      'of %s carries the headers that harden',
      async (path) => {
        const { headers } = await request(server()).get(path);
        expect(headers['content-security-policy']).toContain("default-src 'none'");
        expect(headers['x-content-type-options']).toBe('nosniff');
        expect(headers['strict-transport-security']).toContain('max-age=');
        expect(headers['x-powered-by']).toBeUndefined();
      },
    );
  });
});

describe('TRUST_PROXY', () => {
  it.each([
    [undefined, false],
    ['', false],
    ['0', false],
    ['1', 1],
    ['8', 8],
    ['loopback', ['loopback']],
    ['10.0.0.0/8, 192.0.2.1', ['10.0.0.0/8', '192.0.2.1']],
    ['2001:db8::/32', ['2001:db8::/32']],
  ])('may be %p', (text, meaning) => {
    expect(TrustedProxies.parse(text)).toEqual(meaning);
  });

  it.each([
    'true',
    'TRUE',
    'yes',
    '-1',
    '9',
    '1.5',
    '0.0.0.0/0',
    '::/0',
    '10.0.0.0/33',
    '10.0.0/8',
    'proxy.example',
    '1, 2',
  ])('may not be %p', (text) => {
    expect(TrustedProxies.safeParse(text).success).toBe(false);
  });
});

describe('the configuration', () => {
  const settings = ApiConfig.pick({
    CORS_ORIGINS: true,
    RATE_LIMIT_SCALE: true,
    PORT: true,
    PUBLIC_URL: true,
  });

  it('has a default for every setting but secrets', () => {
    expect(settings.parse({})).toEqual({
      CORS_ORIGINS: [],
      RATE_LIMIT_SCALE: 1,
      PORT: 3000,
      PUBLIC_URL: 'http://localhost:3000',
    });
  });

  it.each([
    { CORS_ORIGINS: '*' },
    { CORS_ORIGINS: 'https://a.example/' },
    { CORS_ORIGINS: 'https://a.example/path' },
    { CORS_ORIGINS: 'a.example' },
    { RATE_LIMIT_SCALE: '0' },
    { RATE_LIMIT_SCALE: '-1' },
    { PORT: '70000' },
    { PUBLIC_URL: 'ftp://a.example' },
  ])('is refused with %p', (wrong) => {
    expect(settings.safeParse(wrong).success).toBe(false);
  });

  it('refuses demo secrets in production', () => {
    const demo = {
      JWT_KEYS: '[{"kid": "demo-1"}]',
      SANDBOX_SECRET: 'demo-sandbox',
    };
    expect(() => refuseDemoSecrets({ NODE_ENV: 'production', ...demo })).toThrow(
      'Production takes no demo secrets: JWT_KEYS, SANDBOX_SECRET.',
    );
    expect(() =>
      refuseDemoSecrets({ NODE_ENV: 'production', JWT_KEYS: '[{"kid":"a-demo-"}]' }),
    ).not.toThrow();
    expect(() => refuseDemoSecrets({ NODE_ENV: 'development', ...demo })).not.toThrow();
  });
});

describe('a client’s network', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:DB8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['1:2:3::', '1:2:3:0::/64'],
    ['1::2:3:4:5:6:7', '1:0:2:3::/64'],
    ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
    ['unknown', 'unknown'],
  ])('of %s is %s', (address, network) => {
    expect(clientNetwork(address)).toBe(network);
  });
});

describe('fields', () => {
  const takes = (schema: { safeParse: (value: unknown) => { success: boolean } }, value: unknown) =>
    schema.safeParse(value).success;

  it('take money in whole cents', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000_000_000 }), (cents) => {
        expect(takes(money(), cents / 100)).toBe(true);
        expect(takes(moneyText(), (cents / 100).toFixed(2))).toBe(true);
      }),
    );
    for (const wrong of [0.001, 1e21, 1_000_000_000.01, -0.01, NaN, Infinity, '1'])
      expect(takes(money(), wrong)).toBe(false);
    for (const wrong of ['', '1e3', '-1', '.5', '1.', '1.234', '99999999999'])
      expect(takes(moneyText(), wrong)).toBe(false);
  });

  it('parse countries, flags and timestamps', () => {
    for (const right of ['DE', 'US', 'JP']) expect(takes(country(), right)).toBe(true);
    for (const wrong of ['de', 'USA', 'XX', '', '__proto__', 'constructor'])
      expect(takes(country(), wrong)).toBe(false);
    expect([flag().parse('true'), flag().parse('false')]).toEqual([true, false]);
    for (const wrong of ['', 'yes', 'null']) expect(takes(flag(), wrong)).toBe(false);
    for (const right of ['2026-11-21', '2026-11-21T10:00:00Z', '2026-11-21T10:00:00.5+02:00'])
      expect(takes(isoDate(), right)).toBe(true);
    const ends = ['0001-01-05', '1999-12-31', '3000-01-01', '2999-12-31T23:59:59-14:00'];
    for (const wrong of ['2026-02-30', '21.11.2026', '2026-11-21T10:00:00', '', '2026', ...ends])
      expect(takes(isoDate(), wrong)).toBe(false);
  });
});

describe('second-factor-policy', () => {
  const requires = (variables: Record<string, string>) =>
    requiresSecondFactor(AuthConfig.parse({ ...testVariables, ...variables }));

  describe('ADMIN_SECOND_FACTOR', () => {
    test('is required in production and optional elsewhere, unless it is set', () => {
      expect(requires({ NODE_ENV: 'production' })).toBe(true);
      expect(requires({ NODE_ENV: 'development' })).toBe(false);
      expect(requires({ NODE_ENV: 'production', ADMIN_SECOND_FACTOR: 'optional' })).toBe(false);
      expect(requires({ NODE_ENV: 'development', ADMIN_SECOND_FACTOR: 'required' })).toBe(true);
    });

    test('is one of the two words', () => {
      expect(() => requires({ ADMIN_SECOND_FACTOR: 'yes' })).toThrow('ADMIN_SECOND_FACTOR');
    });
  });
});

describe('one-time passwords', () => {
  /** The secret and the moments of RFC 6238, appendix B; codes are its last six digits. */
  const secret = Buffer.from('12345678901234567890');
  const vectors: [seconds: number, code: string][] = [
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ];

  const at = (seconds: number) => new TotpService('Shop & Co', () => seconds * 1000);

  test.each(vectors)('at %i s the code of RFC 6238 is %s', (seconds, code) => {
    expect(at(seconds).stepOf(secret, code)).toBe(Math.floor(seconds / 30));
  });

  test('a code is good a step early and a step late, and no longer; its step is its own', () => {
    const steps = [-60, -30, 0, 30, 60].map((shift) => at(1_234_567_890 + shift).stepOf(secret, '005924'));
    const own = Math.floor(1_234_567_890 / 30);
    expect(steps).toEqual([null, own, own, own, null]);
  });

  test.each([
    '',
    '5924',
    '05924',
    '0005924',
    ' 005924',
    '005924 ',
    '+05924',
    '5924.0',
    '00592４',
    '005924\n',
  ])('%j is no code, whatever a library would read off it', (code) => {
    expect(at(1_234_567_890).stepOf(secret, code)).toBeNull();
  });

  test('a secret that was lost yields no codes', () => {
    expect(() => at(59).stepOf(Buffer.alloc(0), '287082')).toThrow('A secret has 20 bytes.');
  });

  test('secrets have 160 random bits', () => {
    const secrets = Array.from({ length: 100 }, () => at(0).newSecret().toString('hex'));
    expect(new Set(secrets).size).toBe(100);
    expect(secrets.every((hex) => hex.length === 40)).toBe(true);
  });

  test('the address of a secret names issuer and account, and what makes the codes', () => {
    const uri = new URL(at(0).uri(secret, 'ada+1@example.com'));
    expect(`${uri.protocol}//${uri.host}`).toBe('otpauth://totp');
    expect(decodeURIComponent(uri.pathname)).toBe('/Shop & Co:ada+1@example.com');
    expect(Object.fromEntries(uri.searchParams)).toEqual({
      secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
      issuer: 'Shop & Co',
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    });
  });

  test.each([
    ['', ''],
    ['fooba', 'MZXW6YTB'],
    ['foobafooba', 'MZXW6YTBMZXW6YTB'],
  ])('base32 of %j is %j', (text, expected) => {
    expect(base32(Buffer.from(text))).toBe(expected);
  });

  test('long keys are shown in groups', () => {
    expect(inGroups('ABCDEFGHIJ', 4, ' ')).toBe('ABCD EFGH IJ');
  });
});
