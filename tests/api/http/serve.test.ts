import { once } from 'node:events';
import { Agent, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import express from 'express';
import request from 'supertest';
import { z } from 'zod';
import { endpoint } from '../../../api/http/endpoint';
import { generalLimit } from '../../../api/http/limits/limits';
import { serve } from '../../../api/http/serve';
import { connect as connectDatabase } from '../../../db/sql/connection';
import { rows } from '../../../db/sql/query';
import { defineProcess } from '../../../workflows/kit/process';
import { eventually } from '../../support/checks/eventually';
import { ownDatabase } from '../../support/servers/database';
import { get } from './client';
import { gate, serverOf } from './shop';
import { unnamed } from './unnamed';

const database = ownDatabase();

describe('serving', () => {
  /** All data that a raw connection receives until it is closed. */
  async function readAll(socket: Socket): Promise<string> {
    let text = '';
    for await (const part of socket.setEncoding('utf8')) text += part as string;
    return text;
  }

  function slowApp() {
    const [arrived, leave] = [gate(), gate()];
    const slow = endpoint({
      ...{
        method: 'get',
        path: '/slow',
        auth: 'public',
        limit: generalLimit,
        ...unnamed,
        success: 200,
      },
      errors: {},
      data: z.object({ done: z.boolean() }),
      async handle() {
        arrived.open();
        await leave.passed;
        return { done: true };
      },
    });
    return { app: serverOf({ db: database.db, endpoints: [slow] }), arrived, leave };
  }

  describe('a server that is stopped', () => {
    it('answers open requests, accepts no new ones, and then ends', async () => {
      const { app, arrived, leave } = slowApp();
      const serving = await serve(app, 0);
      const agent = new Agent({ keepAlive: true });
      const begun = get(serving.port, '/api/v1/slow', agent);
      await arrived.passed;
      let ended = false;
      const drained = serving.drain().then(() => {
        ended = true;
      });
      await expect(get(serving.port, '/api/v1/slow')).rejects.toThrow('ECONNREFUSED');
      expect(ended).toBe(false);
      leave.open();
      const answer = await begun;
      expect([answer.status, JSON.parse(answer.body).data]).toEqual([200, { done: true }]);
      expect(answer.headers.connection).toBe('close');
      await drained;
      agent.destroy();
    });

    it('waits neither for idle kept-alive connections nor for those without a request', async () => {
      const serving = await serve(
        express().get('/', (_req, res) => void res.send('x')),
        0,
      );
      const agent = new Agent({ keepAlive: true });
      expect((await get(serving.port, '/', agent)).headers.connection).toBe('keep-alive');
      const silent = connect(serving.port);
      await once(silent, 'connect');
      silent.on('error', () => undefined);
      await serving.drain();
      agent.destroy();
      silent.destroy();
    });

    it('does not wait for pipelined requests whose connection was closed', async () => {
      const held: ServerResponse[] = [];
      let closed = 0;
      const serving = await serve((req, res) => {
        if (held.push(res) === 1) req.socket.once('close', () => closed++);
      }, 0);
      const client = connect(serving.port);
      client.write('GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\n');
      await eventually(() => expect(held).toHaveLength(2));
      client.destroy();
      await eventually(() => expect(closed).toBe(1));
      await serving.drain();
      expect(held.map((res) => res.getHeader('connection'))).toEqual([undefined, undefined]);
    });

    it('cuts off requests after the grace period', async () => {
      const { app, arrived, leave } = slowApp();
      const serving = await serve(app, 0);
      const begun = get(serving.port, '/api/v1/slow');
      begun.catch(() => undefined);
      await arrived.passed;
      await serving.drain(50);
      await expect(begun).rejects.toThrow('socket hang up');
      leave.open();
    });
  });

  describe('invalid HTTP', () => {
    it.each([
      ['nonsense', 'HELLO\r\n\r\n', 400],
      ['headers without end', `GET / HTTP/1.1\r\nA: ${'x'.repeat(20_000)}\r\n`, 431],
    ])('is answered in the envelope: %s', async (_what, text, status) => {
      const serving = await serve(express(), 0);
      const socket = connect(serving.port);
      socket.write(text);
      const answer = await readAll(socket);
      expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({ success: false });
      await serving.drain();
    });

    it('cannot listen on a port in use', async () => {
      const serving = await serve(express(), 0);
      await expect(serve(express(), serving.port)).rejects.toThrow('EADDRINUSE');
      await serving.drain();
    });
  });

  describe('a server', () => {
    const elsewhere = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;

    it('listens on the loopback address, unless another one is set', async () => {
      const [own, open] = [await serve(express(), 0), await serve(express(), 0, '0.0.0.0')];
      const reaches = (port: number, host: string) =>
        new Promise<boolean>((resolve) => {
          const socket = connect(port, host);
          socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
          socket.on('connect', () => socket.destroy());
        });
      expect([await reaches(own.port, '127.0.0.1'), await reaches(open.port, '127.0.0.1')]).toEqual([
        true,
        true,
      ]);
      // 127.0.0.2 is the same machine under another address.
      const other = elsewhere ?? '127.0.0.2';
      expect([await reaches(own.port, other), await reaches(open.port, other)]).toEqual([false, true]);
      await Promise.all([own.drain(), open.drain()]);
    });
  });
});

describe('without what it depends on', () => {
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
          ...unnamed,
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
    const read = endpoint({
      ...{
        method: 'get',
        path: '/read',
        auth: 'public',
        limit: generalLimit,
        ...unnamed,
        success: 200,
      },
      errors: {},
      data: z.object({}),
      async handle(_input, { db }) {
        await db.sequelize.query('SELECT pg_backend_pid()');
        return {};
      },
    });

    it('a request that needs it is answered 503 with Retry-After', async () => {
      const away = connectDatabase({ DATABASE_URL: 'postgres://nobody:x@127.0.0.1:1/none' });
      const serving = await serve(serverOf({ db: away, endpoints: [read] }), 0);
      const { status, headers, body } = await get(serving.port, '/api/v1/read');
      expect([status, JSON.parse(body).error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
      expect(headers['retry-after']).toMatch(/^[1-9]\d*$/);
      await serving.drain();
      await away.sequelize.close();
    });

    it('broken connections are replaced when it is available again', async () => {
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
});
