import type { Client } from '@temporalio/client';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { platformFigures } from '../../db/administration/operations/platform-figures.reads';
import { poolUse } from '../../db/sql/connection';
import type { Db } from '../../db/sql/query';
import { platformGauges } from './platform-gauges';
import { recent } from '../checks/recent';
import { scheduleFigures } from './schedule-figures';

/** Prometheus gives up after 10 seconds; a page without some figures is worth more than none. */
const PATIENCE_MS = 4_000;
const FIGURES_FRESH_MS = 10_000;
const SCHEDULES_FRESH_MS = 30_000;

/** What Prometheus reads of a worker. */
export interface WorkerMetrics {
  readonly contentType: string;
  /** Never waits longer than a few seconds for anybody. */
  page: () => Promise<string>;
}

/**
 * The worker's own state, and what the platform waits for, which every worker tells alike: take the maximum over them.
 * The figures of Temporal's SDK are on a page of their own (`WORKER_METRICS_PORT`).
 */
export function workerMetrics({ db, client }: { db: Db; client: Client }): WorkerMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  addPool(registry, db);
  const gauges = platformGauges(registry);
  const patienceMs = PATIENCE_MS;
  const figures = recent(() => platformFigures(db), { freshMs: FIGURES_FRESH_MS, patienceMs });
  const schedules = recent(() => scheduleFigures(client), { freshMs: SCHEDULES_FRESH_MS, patienceMs });
  return {
    contentType: registry.contentType,
    async page() {
      const [known, planned] = await Promise.all([figures(), schedules()]);
      gauges.show(known);
      gauges.showSchedules(planned);
      return registry.metrics();
    },
  };
}

function addPool(registry: Registry, db: Db): void {
  new Gauge({
    name: 'db_pool_connections',
    help: 'Connections of the database pool by what they do, and statements that wait for one.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      for (const [state, count] of Object.entries(poolUse(db) ?? {})) this.set({ state }, count);
    },
  });
}
