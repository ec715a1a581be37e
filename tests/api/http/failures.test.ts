import request from 'supertest';
import { z } from 'zod';
import { endpoint } from '../../../api/http/endpoint';
import { generalLimit } from '../../../api/http/limits/limits';
import { refusal } from '../../../workflows/errors';
import { ownDatabase } from '../../support/servers/database';
import { serverOf } from './shop';

const database = ownDatabase();
const common = { summary: 's', tag: 't', limit: generalLimit, success: 200, errors: {} } as const;
const shows = (['get', 'post'] as const).map((method) =>
  endpoint({
    ...common,
    ...{ method, path: '/echo/:word', auth: 'public' },
    data: z.object({}),
    handle: () => Promise.resolve({}),
  }),
);
const always = endpoint({
  ...common,
  method: 'get',
  path: '/always/:what',
  auth: 'public',
  errors: { ORDER_NOT_FOUND: 404 },
  params: z.object({ what: z.string() }),
  data: z.object({ price: z.number() }),
  handle({ params }) {
    if (params.what === 'declared') throw refusal('ORDER_NOT_FOUND', 'No such order.');
    if (params.what === 'undeclared') throw refusal('CART_EMPTY', 'inner detail');
    if (params.what === 'broken') throw new Error('inner detail');
    return Promise.resolve({ price: 'inner detail', secret: 'x' } as unknown as { price: number });
  },
});
/** A path that also matches `/echo/:word`, listed after it. */
const literal = endpoint({
  ...common,
  ...{ method: 'put', path: '/echo/aloud', auth: 'public' },
  data: z.object({ aloud: z.boolean() }),
  handle: () => Promise.resolve({ aloud: true }),
});
const lines: string[] = [];
const server = () => serverOf({ db: database.db, endpoints: [...shows, literal, always], lines });

describe('paths', () => {
  it.each(['/api/v1/nothing', '/nothing', '/api/v1', '/api/v1/echo', '/api/v2/echo/hi'])(
    '%s is nothing: 404',
    async (path) => {
      const { status, body } = await request(server()).get(path);
      expect([status, body.success, body.error.code]).toEqual([404, false, 'NOT_FOUND']);
    },
  );

  it.each(['put', 'delete', 'patch', 'trace'] as const)('refuse %s with 405', async (method) => {
    const answer = await request(server())[method]('/api/v1/echo/hi');
    expect(answer.status).toBe(405);
    expect(answer.body.error.code).toBe('METHOD_NOT_ALLOWED');
    expect(answer.headers['allow']).toBe('GET, HEAD, POST');
  });

  it('match once: a literal path does not answer methods of a pattern that matches it too', async () => {
    const named = await request(server()).put('/api/v1/echo/aloud');
    expect([named.status, named.body.data]).toEqual([200, { aloud: true }]);
    for (const method of ['get', 'post', 'delete'] as const) {
      const { status, headers } = await request(server())[method]('/api/v1/echo/aloud');
      expect([status, headers['allow']]).toEqual([405, 'PUT']);
    }
  });

  it('answer HEAD as GET, without the body', async () => {
    const answer = await request(server()).head('/api/v1/echo/hi');
    expect([answer.status, answer.text]).toEqual([200, undefined]);
  });
});

describe('errors', () => {
  it('have the code and the status that the contract declares', async () => {
    const { status, body } = await request(server()).get('/api/v1/always/declared');
    expect(status).toBe(404);
    expect(body).toEqual({ success: false, error: { code: 'ORDER_NOT_FOUND', message: 'No such order.' } });
  });

  it.each(['undeclared', 'broken', 'not as the contract says'])(
    'is a 500 without inner detail, but logged, when it is %s',
    async (what) => {
      lines.length = 0;
      const answer = await request(server()).get(`/api/v1/always/${encodeURIComponent(what)}`);
      expect([answer.status, answer.body.error.code]).toEqual([500, 'INTERNAL_ERROR']);
      expect(answer.text).not.toContain('inner detail');
      expect(answer.text).not.toContain('secret');
      const failure = lines.map((line) => JSON.parse(line)).find(({ msg }) => msg === 'a request failed');
      expect(failure.requestId).toBe(answer.headers['x-request-id']);
      expect(failure.err.stack).toMatch(/^ +at /);
    },
  );
});
