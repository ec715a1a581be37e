import express from 'express';
import { setTimeout as delay } from 'node:timers/promises';
import request from 'supertest';
import { healthPages } from '../../../api/health';
import { Processes } from '../../../api/http/temporal/temporal';
import { connect } from '../../../db/sql/connection';
import { execute } from '../../../db/sql/query';
import { ownDatabase } from '../../support/servers/database';
import { connectTemporal, type TestTemporal } from '../../support/servers/temporal';
import { ownWorld } from '../../support/worlds/world';
import { noProcesses } from '../http/shop';

describe('health', () => {
  const database = ownDatabase();
  let temporal: TestTemporal;
  beforeAll(async () => {
    temporal = await connectTemporal();
  });
  afterAll(() => temporal.close());

  const pages = ({
    db = database.db,
    processes = new Processes(temporal.client),
    health = { stopping: false, registering: false },
  } = {}) => express().use('/health', healthPages(db, processes, health));

  const ready = (options?: Parameters<typeof pages>[0]) => request(pages(options)).get('/health/ready');

  describe('readiness', () => {
    it('is `ready` when every part works', async () => {
      const { status, body } = await ready();
      expect(status).toBe(200);
      expect(body).toEqual({ status: 'ready', parts: { database: 'ok', temporal: 'ok', migrations: 'ok' } });
    });

    it('is `not ready` without the database', async () => {
      const away = connect({ DATABASE_URL: 'postgres://nobody:x@127.0.0.1:1/none' });
      const { status, body } = await ready({ db: away });
      expect(status).toBe(503);
      expect(body).toEqual({
        status: 'not ready',
        parts: { database: 'away', temporal: 'ok', migrations: 'away' },
      });
      await away.sequelize.close();
    });

    it('is `not ready` without Temporal', async () => {
      const { status, body } = await ready({ processes: noProcesses() });
      expect(status).toBe(503);
      expect(body.parts).toEqual({ database: 'ok', temporal: 'away', migrations: 'ok' });
    });

    it('probes the parts once for concurrent requests, and reuses the result for a second', async () => {
      const processes = new Processes(temporal.client);
      const probed = jest.spyOn(processes, 'isReachable');
      const app = pages({ processes });
      const answers = await Promise.all(Array.from({ length: 30 }, () => request(app).get('/health/ready')));
      expect(answers.every(({ status }) => status === 200)).toBe(true);
      expect(probed).toHaveBeenCalledTimes(1);
      await delay(1_100);
      expect((await request(app).get('/health/ready')).status).toBe(200);
      expect(probed).toHaveBeenCalledTimes(2);
    });

    it('is `not ready` before the last migration', async () => {
      await execute(database.owner, `DELETE FROM schema_migrations WHERE name = '0001-audit'`);
      const { status, body } = await ready();
      expect([status, body.parts.migrations]).toEqual([503, 'behind']);
      await execute(database.owner, `INSERT INTO schema_migrations VALUES ('0001-audit', now())`);
    });

    it('is `not ready` until Temporal knows the search attributes', async () => {
      const health = { stopping: false, registering: true };
      const { status, body } = await ready({ health });
      expect([status, body.status, body.parts.temporal]).toEqual([503, 'not ready', 'behind']);
      health.registering = false;
      expect((await ready({ health })).status).toBe(200);
    });

    it('ends when the process is stopping, while liveness continues', async () => {
      const health = { stopping: true, registering: false };
      const { status, body } = await ready({ health });
      expect([status, body.status]).toEqual([503, 'stopping']);
      expect((await request(pages({ health })).get('/health/live')).status).toBe(200);
    });
  });

  describe('liveness', () => {
    it('depends on the process only', async () => {
      const away = connect({ DATABASE_URL: 'postgres://nobody:x@127.0.0.1:1/none' });
      const { status, body } = await request(pages({ db: away, processes: noProcesses() })).get(
        '/health/live',
      );
      expect([status, body]).toEqual([200, { status: 'live' }]);
      await away.sequelize.close();
    });
  });
});

describe('limits', () => {
  const world = ownWorld({ worker: false, variables: { RATE_LIMIT_SCALE: '1' } });

  /** The statuses of 60 requests sent at once from one address. */
  async function flood(path: string): Promise<number[]> {
    const answers = await Promise.all(Array.from({ length: 60 }, () => world.http.get(path)));
    return answers.map(({ status }) => status);
  }

  test('a flood from the address of the liveness probe does not make it fail', async () => {
    const [flooded, probed] = await Promise.all([flood('/health/unknown'), flood('/health/live')]);
    expect(flooded).toContain(429);
    expect(new Set(probed)).toEqual(new Set([200]));
  });

  test.each(['/health/ready', '/health/live/more', '/health/LIVE', '/api/v1/health/live'])(
    '%s is held to the burst tier',
    async (path) => {
      expect(await flood(path)).toContain(429);
    },
  );
});
