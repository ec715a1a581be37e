import pino from 'pino';
import { createApp } from '../../../../api/app';
import { ApiConfig } from '../../../../api/config';
import { serve } from '../../../../api/http/serve';
import { rows } from '../../../../db/sql/query';
import { policyFrom } from '../../../../db/policy/config';
import { ownDatabase } from '../../../support/servers/database';
import { testVariables } from '../../../support/worlds/variables';
import { get } from '../client';
import { noProcesses } from '../shop';

const database = ownDatabase();

it('is visible to Prometheus', async () => {
  const { app, metrics, close } = createApp({
    config: ApiConfig.parse(testVariables),
    policy: policyFrom({}),
    db: database.db,
    databaseUrl: database.url,
    processes: noProcesses(),
    log: pino({ level: 'silent' }),
  });
  const [server, measuring] = [await serve(app, 0), await serve(metrics.page, 0)];
  await get(server.port, '/api/v1/categories');
  const { body } = await get(measuring.port, '/metrics');
  expect(body).toMatch(/catalogue_cache_requests_total\{outcome="(miss|bypass)"\} 1/);
  expect(body).toMatch(/^catalogue_cache_pages \d/m);
  expect(body).toMatch(/^catalogue_cache_bytes \d/m);
  await Promise.all([server.drain(), measuring.drain()]);
  await close();
});

it('is off with CATALOGUE_CACHE_MB=0: every answer is made from the database, and no connection listens', async () => {
  const listeners = () =>
    rows(
      database.db,
      `SELECT 1 FROM pg_stat_activity WHERE application_name = 'catalogue' AND datname = current_database()`,
    );
  const before = (await listeners()).length;
  const { app, metrics, close } = createApp({
    config: ApiConfig.parse({ ...testVariables, CATALOGUE_CACHE_MB: '0' }),
    policy: policyFrom({}),
    db: database.db,
    databaseUrl: database.url,
    processes: noProcesses(),
    log: pino({ level: 'silent' }),
  });
  const [server, measuring] = [await serve(app, 0), await serve(metrics.page, 0)];
  const queried = jest.spyOn(database.db.sequelize, 'query');
  for (let i = 0; i < 2; i++) expect((await get(server.port, '/api/v1/categories')).status).toBe(200);
  expect(queried).toHaveBeenCalledTimes(2);
  queried.mockRestore();
  expect(await listeners()).toHaveLength(before);
  expect((await get(measuring.port, '/metrics')).body).not.toContain('catalogue_cache');
  await Promise.all([server.drain(), measuring.drain()]);
  await close();
});
