import { Router } from 'express';
import request from 'supertest';
import { z } from 'zod';
import { endpoint } from '../../../api/http/endpoint';
import { generalLimit } from '../../../api/http/limits/limits';
import { createMetrics } from '../../../api/http/observe/metrics';
import { serve } from '../../../api/http/serve';
import { refusal } from '../../../workflows/errors';
import { ownDatabase } from '../../support/servers/database';
import { get } from './client';
import { serverOf } from './shop';
import { unnamed } from './unnamed';

const database = ownDatabase();

const common = {
  auth: 'public',
  limit: generalLimit,
  ...unnamed,
  success: 200,
  data: z.object({}),
} as const;
const thing = endpoint({
  ...common,
  ...{ method: 'get', path: '/things/:id', errors: {} },
  handle: () => Promise.resolve({}),
});
const order = endpoint({
  ...common,
  ...{ method: 'post', path: '/order', errors: { CART_EMPTY: 400, PRICE_CHANGED: 409 } },
  refusalCounter: { name: 'platform_things_refused_total', help: 'Things refused.' },
  body: z.object({ broken: z.boolean().optional() }),
  handle: ({ body }) =>
    Promise.reject(body.broken ? new Error('broken') : refusal('CART_EMPTY', 'The cart is empty.')),
});
const pages = Router()
  .get('/here', (_req, res) => void res.send('here'))
  .get('/refused', (_req, res) => void res.status(403).send('no'))
  .get('/', (_req, res) => res.redirect('/pages/here'))
  .get('/odd', (_req, res) => void res.status(418).send('no'));

/** A server with metrics of its own, and its log lines. */
async function observed(settings: Record<string, string> = {}) {
  const lines: string[] = [];
  const endpoints = [thing, order];
  const metrics = createMetrics({ db: database.db, endpoints });
  const extras = [
    { path: '/pages', handler: pages },
    { path: '/', handler: pages, exact: true as const },
  ];
  const server = await serve(
    serverOf({ db: database.db, endpoints, extras, observe: metrics.observe, lines, settings }),
    0,
  );
  const measuring = await serve(metrics.page, 0);
  return {
    server,
    measuring,
    http: request(`http://127.0.0.1:${server.port}`),
    page: async () => (await get(measuring.port, '/metrics')).body,
    lines: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>),
    end: async () => {
      await server.drain();
      await measuring.drain();
    },
  };
}

type Observed = Awaited<ReturnType<typeof observed>>;

const requestsIn = (page: string): string[] =>
  page.split('\n').filter((line) => line.startsWith('http_requests_total{'));

let at: Observed;
beforeEach(async () => {
  at = await observed();
});
afterEach(() => at.end());

/** The route, status and code of each request line. */
const answered = () =>
  at
    .lines()
    .filter(({ msg }) => msg === 'answered' || msg === 'answered with an error')
    .map(({ route, status, code }) => [route, status, code]);

it('counts requests by route template, method, status and code; durations by class of status', async () => {
  for (const path of ['/api/v1/things/1', '/api/v1/things/2']) await get(at.server.port, path);
  await at.http.post('/api/v1/order').send({});
  await database.db.sequelize.query('SELECT 1');
  const page = await at.page();
  expect(requestsIn(page)).toEqual([
    'http_requests_total{method="GET",route="/things/:id",status="200",code="none"} 2',
    'http_requests_total{method="POST",route="/order",status="400",code="CART_EMPTY"} 1',
  ]);
  expect(page).toContain(
    'http_request_duration_seconds_count{method="GET",route="/things/:id",status_class="2xx"} 2',
  );
  expect(page).toContain('db_pool_connections{state="in_use"} 0');
  expect(page).toMatch(/db_pool_connections\{state="idle"\} [1-9]/);
  expect(page).toContain('db_pool_waiting_statements 0');
  expect(page).toContain('process_cpu_seconds_total');
  expect((await get(at.measuring.port, '/other')).status).toBe(404);
});

it('names the route of what is no endpoint, and its code', async () => {
  await at.http.get('/pages/here');
  await at.http.get('/pages/refused');
  await at.http.get('/pages/odd');
  await at.http.get('/pages/missing');
  await at.http.get('/');
  await at.http.get('/here');
  await at.http.get('/api/v1/whatever/3');
  await at.http.delete('/api/v1/things/1');
  await at.http.get(`/api/v1/things/1?x=${'x'.repeat(5_000)}`);
  expect(answered()).toEqual([
    ['/pages', 200, undefined],
    ['/pages', 403, 'FORBIDDEN'],
    ['/pages', 418, 'OTHER'],
    ['/pages', 404, 'NOT_FOUND'],
    ['/', 302, undefined],
    ['unmatched', 404, 'NOT_FOUND'],
    ['unmatched', 404, 'NOT_FOUND'],
    ['/things/:id', 405, 'METHOD_NOT_ALLOWED'],
    ['unrouted', 414, 'URI_TOO_LONG'],
  ]);
  const page = await at.page();
  expect(requestsIn(page).map((line) => line.replace(/.*\{(.*)\}.*/, '$1'))).toEqual([
    'method="GET",route="/pages",status="200",code="none"',
    'method="GET",route="/pages",status="403",code="FORBIDDEN"',
    'method="GET",route="/pages",status="418",code="OTHER"',
    'method="GET",route="/pages",status="404",code="NOT_FOUND"',
    'method="GET",route="/",status="302",code="none"',
    'method="GET",route="unmatched",status="404",code="NOT_FOUND"',
    'method="DELETE",route="/things/:id",status="405",code="METHOD_NOT_ALLOWED"',
    'method="GET",route="unrouted",status="414",code="URI_TOO_LONG"',
  ]);
});

it('has no label of a method that the caller invented', async () => {
  await fetch(`http://127.0.0.1:${at.server.port}/api/v1/nothing`, { method: 'PROPFIND' });
  expect(requestsIn(await at.page())).toEqual([
    'http_requests_total{method="other",route="unmatched",status="404",code="NOT_FOUND"} 1',
  ]);
});

it('logs the code of refusals by the kit, by the handler, by a limit and of failures', async () => {
  const one = await observed({ RATE_LIMIT_SCALE: '0.001' });
  await at.http.post('/api/v1/order').send({ broken: 'yes' });
  await at.http.post('/api/v1/order').send('{');
  await at.http.post('/api/v1/order').type('json').send('{');
  await at.http.post('/api/v1/order').send({});
  await at.http.post('/api/v1/order').send({ broken: true });
  expect(answered()).toEqual([
    ['/order', 400, 'VALIDATION_ERROR'],
    ['/order', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['/order', 400, 'VALIDATION_ERROR'],
    ['/order', 400, 'CART_EMPTY'],
    ['/order', 500, 'INTERNAL_ERROR'],
  ]);
  for (let i = 0; i < 3; i++) await one.http.get('/api/v1/things/1');
  expect(one.lines().at(-1)).toMatchObject({ status: 429, code: 'RATE_LIMIT_EXCEEDED' });
  await one.end();
});

it('counts own refusals by code from 0; a replay is logged with its code and not counted again', async () => {
  const counted = async () =>
    (await at.page()).split('\n').filter((line) => line.startsWith('platform_things_refused_total'));
  expect(await counted()).toEqual([
    'platform_things_refused_total{code="CART_EMPTY"} 0',
    'platform_things_refused_total{code="PRICE_CHANGED"} 0',
  ]);
  const send = () => at.http.post('/api/v1/order').set('Idempotency-Key', 'once').send({});
  expect((await send()).headers['idempotent-replayed']).toBeUndefined();
  expect((await send()).headers['idempotent-replayed']).toBe('true');
  await at.http.post('/api/v1/order').send({ broken: 'yes' });
  expect(answered()).toEqual([
    ['/order', 400, 'CART_EMPTY'],
    ['/order', 400, 'CART_EMPTY'],
    ['/order', 400, 'VALIDATION_ERROR'],
  ]);
  expect((await counted())[0]).toBe('platform_things_refused_total{code="CART_EMPTY"} 1');
});
