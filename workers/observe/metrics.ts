import type { Client } from '@temporalio/client';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { drivers } from '../../activities/providers/drivers';
import { businessFigures } from '../../db/administration/operations/business-figures.reads';
import { platformFigures } from '../../db/administration/operations/platform-figures.reads';
import { addPoolMetrics } from '../../db/sql/pool/pool-metrics';
import type { Db } from '../../db/sql/query';
import { stretched } from '../../workflows/kit/limits/slowness';
import { platformGauges } from './gauges/platform-gauges';
import { recent } from '../checks/recent';
import { scheduleFigures } from './schedule-figures';

/** Shorter than Prometheus's 10 seconds, so that a page without some figures is answered in time. */
const PATIENCE_MS = 4_000;
const FIGURES_FRESH_MS = 10_000;
const HOUR_FRESH_MS = 30_000;
/** They read many rows, and change little in some minutes. */
const DAY_FRESH_MS = 5 * 60_000;
const SCHEDULES_FRESH_MS = 30_000;

/** The codes of the drivers that send money out. */
export const PAYOUT_SENDERS = drivers.flatMap((driver) => ('payouts' in driver ? [driver.code] : []));

/** The metrics of a worker for Prometheus. */
export interface WorkerMetrics {
  readonly contentType: string;
  /** The text of the page; waits a few seconds at most. */
  page: () => Promise<string>;
}

/**
 * The metrics of the worker itself and of the whole platform. Every worker exports the same platform figures, so
 * queries take the maximum over workers. The metrics of Temporal's SDK are on another port (`WORKER_METRICS_PORT`).
 */
export function workerMetrics({ db, client }: { db: Db; client: Client }): WorkerMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  addPoolMetrics(registry, db);
  const gauges = platformGauges(registry);
  const patienceMs = stretched(PATIENCE_MS);
  const figures = recent(() => platformFigures(db, PAYOUT_SENDERS), {
    freshMs: FIGURES_FRESH_MS,
    patienceMs,
  });
  const ofHour = recent(() => businessFigures(db, 'hour'), { freshMs: HOUR_FRESH_MS, patienceMs });
  const ofDay = recent(() => businessFigures(db, 'day'), { freshMs: DAY_FRESH_MS, patienceMs });
  const schedules = recent(() => scheduleFigures(client), { freshMs: SCHEDULES_FRESH_MS, patienceMs });
  return {
    contentType: registry.contentType,
    async page() {
      const [current, hour, day, currentSchedules] = await Promise.all([
        figures(),
        ofHour(),
        ofDay(),
        schedules(),
      ]);
      gauges.show(current);
      gauges.showBusiness([hour, day]);
      gauges.showSchedules(currentSchedules);
      return registry.metrics();
    },
  };
}
