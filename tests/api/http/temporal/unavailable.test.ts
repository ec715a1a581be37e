import request from 'supertest';
import { z } from 'zod';
import { endpoint } from '../../../../api/http/endpoint';
import { generalLimit } from '../../../../api/http/limits/limits';
import { serve } from '../../../../api/http/serve';
import { connect as connectDatabase } from '../../../../db/sql/connection';
import { rows } from '../../../../db/sql/query';
import { defineProcess } from '../../../../workflows/kit/process';
import { ownDatabase } from '../../../support/servers/database';
import { get } from '../client';
import { serverOf } from '../shop';

const database = ownDatabase();

describe('when Temporal is unavailable', () => {
  it('a request that needs it is answered 503, its key stays open with its ids, and the log names the process', async () => {
    const process = defineProcess<{ id: string }, null>({
      type: 'neverStarted',
      queue: 'interactive',
      area: 'commerce',
      id: ({ id }) => `never:${id}`,
      entityId: ({ id }) => id,
      summary: () => 'never',
    });
    const minted: string[] = [];
    const start = endpoint({
      ...{
        method: 'post',
        path: '/start',
        auth: 'public',
        limit: generalLimit,
        summary: 's',
        tag: 't',
        success: 201,
      },
      errors: {},
      data: z.object({}),
      async handle(_input, { mint, processes }) {
        minted.push((await mint('it')).it);
        await processes.start(process, { id: minted[0]! });
        return {};
      },
    });
    const lines: string[] = [];
    const app = serverOf({ db: database.db, endpoints: [start], lines });
    const { status, headers, body } = await request(app)
      .post('/api/v1/start')
      .set('Idempotency-Key', 'k')
      .send({});
    expect([status, body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(headers['retry-after']).toMatch(/^[1-9]\d*$/);
    const [kept] = await rows<{ state: string; minted: object }>(
      database.db,
      `SELECT state, minted FROM idempotency_keys WHERE key = 'k'`,
    );
    expect(kept).toEqual({ state: 'OPEN', minted: { it: minted[0] } });
    expect(JSON.parse(lines.at(-1) ?? '{}')).toMatchObject({
      status: 503,
      workflowId: [`never:${minted[0]}`],
    });
  });
});

describe('when the database is unavailable', () => {
  it('a request that needs it is answered 503 with Retry-After', async () => {
    const away = connectDatabase({ DATABASE_URL: 'postgres://nobody:x@127.0.0.1:1/none' });
    const read = endpoint({
      ...{
        method: 'get',
        path: '/read',
        auth: 'public',
        limit: generalLimit,
        summary: 's',
        tag: 't',
        success: 200,
      },
      errors: {},
      data: z.object({}),
      async handle(_input, { db }) {
        await db.sequelize.query('SELECT 1');
        return {};
      },
    });
    const serving = await serve(serverOf({ db: away, endpoints: [read] }), 0);
    const { status, headers, body } = await get(serving.port, '/api/v1/read');
    expect([status, JSON.parse(body).error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(headers['retry-after']).toMatch(/^[1-9]\d*$/);
    await serving.drain();
    await away.sequelize.close();
  });

  it('broken connections are replaced when it is available again', async () => {
    const read = endpoint({
      ...{
        method: 'get',
        path: '/read',
        auth: 'public',
        limit: generalLimit,
        summary: 's',
        tag: 't',
        success: 200,
      },
      errors: {},
      data: z.object({}),
      async handle(_input, { db }) {
        await db.sequelize.query('SELECT pg_backend_pid()');
        return {};
      },
    });
    const db = connectDatabase({ DATABASE_URL: database.url });
    const serving = await serve(serverOf({ db, endpoints: [read] }), 0);
    expect((await get(serving.port, '/api/v1/read')).status).toBe(200);
    // Terminated connections may still answer for a moment.
    await rows(
      database.db,
      `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name = 'platform'`,
    );
    const statuses = [await get(serving.port, '/api/v1/read'), await get(serving.port, '/api/v1/read')];
    expect([200, 503]).toContain(statuses[0]?.status);
    expect(statuses[1]?.status).toBe(200);
    await serving.drain();
    await db.sequelize.close();
  });
});
