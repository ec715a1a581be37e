import { z } from 'zod';
import { endpoint } from '../../../../api/http/endpoint';
import { generalLimit } from '../../../../api/http/limits/limits';
import { createMetrics } from '../../../../api/http/observe/metrics';
import { serve } from '../../../../api/http/serve';
import { ownDatabase } from '../../../support/servers/database';
import { get } from '../client';
import { serverOf } from '../shop';

const database = ownDatabase();

describe('metrics', () => {
  it('count by route template, and include the pool', async () => {
    const metrics = createMetrics(database.db);
    const thing = endpoint({
      ...{ method: 'get', path: '/things/:id', auth: 'public', limit: generalLimit, summary: 's', tag: 't' },
      success: 200,
      errors: {},
      data: z.object({}),
      handle: () => Promise.resolve({}),
    });
    const server = await serve(
      serverOf({ db: database.db, endpoints: [thing], observe: metrics.observe }),
      0,
    );
    const measuring = await serve(metrics.page, 0);
    await database.db.sequelize.query('SELECT 1');
    for (const path of ['/api/v1/things/1', '/api/v1/things/2', '/api/v1/whatever/3'])
      await get(server.port, path);
    const { status, headers, body } = await get(measuring.port, '/metrics');
    expect(status).toBe(200);
    expect(headers['content-type']).toContain('text/plain');
    expect(body).toContain('http_requests_total{method="GET",route="/things/:id",status="200"} 2');
    expect(body).toContain('http_requests_total{method="other",route="none",status="404"} 1');
    expect(body).toContain(
      'http_request_duration_seconds_count{method="GET",route="/things/:id",status="200"} 2',
    );
    expect(body).toContain('db_pool_connections{state="in use"} 0');
    expect(body).toMatch(/db_pool_connections\{state="idle"\} [1-9]/);
    expect(body).toContain('process_cpu_seconds_total');
    expect((await get(measuring.port, '/other')).status).toBe(404);
    await server.drain();
    await measuring.drain();
  });
});
