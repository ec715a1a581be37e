import request from 'supertest';
import { z } from 'zod';
import { endpoint, type Auth } from '../../../api/http/endpoint';
import { generalLimit } from '../../../api/http/limits/limits';
import { ownDatabase } from '../../support/servers/database';
import { serverOf } from './shop';

const database = ownDatabase();
const kinds: readonly Auth[] = ['public', 'optional', 'user', 'admin', 'super-admin'];
const Who = z.object({ id: z.string().nullable(), originAllowed: z.boolean() });
const endpoints = kinds.flatMap((auth) =>
  (['get', 'post'] as const).map((method) =>
    endpoint({
      ...{
        method,
        path: `/${auth}`,
        auth,
        limit: generalLimit,
        summary: 's',
        tag: 't',
        success: 200,
        errors: {},
      },
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

  it.each([null, 'https://evil.example', 'null', 'https://shop.example.evil.example', 'http://shop.example'])(
    'changes nothing when it comes from %s',
    async (origin) => {
      const { status, body } = await send(origin);
      expect([status, body.error.code]).toEqual([403, 'FORBIDDEN']);
    },
  );

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
    expect(read.headers['vary']).toContain('Origin');
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
