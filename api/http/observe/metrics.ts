import type { RequestHandler } from 'express';
import type { RequestListener } from 'node:http';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { poolUse } from '../../../db/sql/connection';
import type { Db } from '../../../db/sql/query';
import type { CatalogueCache } from '../page-cache/catalogue-cache';
import { addCacheMetrics } from '../page-cache/cache-metrics';
import { SECURITY_EVENTS, type CountSecurityEvent } from './security-events';
import { requestStateOf } from './request-state';

const DURATION_BUCKETS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The metrics of this process: `observe` counts requests, `page` answers Prometheus. */
export interface Metrics {
  observe: RequestHandler;
  countSecurityEvent: CountSecurityEvent;
  page: RequestListener;
}

export function createMetrics(db: Db, cache?: CatalogueCache): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  addPool(registry, db);
  if (cache) addCacheMetrics(registry, cache);
  return {
    observe: observer(registry),
    countSecurityEvent: securityCounter(registry),
    page: pageOf(registry),
  };
}

/** Counts by route template; real paths contain ids, and each would become a series of its own. */
function observer(registry: Registry): RequestHandler {
  const labelNames = ['method', 'route', 'status'] as const;
  const registers = [registry];
  const requests = new Counter({
    name: 'http_requests_total',
    help: 'Answered requests.',
    labelNames,
    registers,
  });
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request’s arrival to the end of its answer.',
    labelNames,
    registers,
    buckets: DURATION_BUCKETS_SECONDS,
  });
  return (req, res, next) => {
    const startedAt = process.hrtime.bigint();
    res.once('finish', () => {
      const { endpoint } = requestStateOf(req);
      // Callers may invent methods, which must not become labels.
      const method = endpoint?.method.toUpperCase() ?? 'other';
      const labels = { method, route: endpoint?.path ?? 'none', status: String(res.statusCode) };
      requests.inc(labels);
      durations.observe(labels, Number(process.hrtime.bigint() - startedAt) / 1e9);
    });
    next();
  };
}

/** Creates every series at 0, so that an alert sees the first failure as an increase. */
function securityCounter(registry: Registry): CountSecurityEvent {
  const events = new Counter({
    name: 'security_events_total',
    help: 'Security events about accounts, attempts included, by event and outcome.',
    labelNames: ['event', 'outcome'] as const,
    registers: [registry],
  });
  for (const event of SECURITY_EVENTS)
    for (const outcome of ['success', 'failure']) events.inc({ event, outcome }, 0);
  return (labels) => events.inc(labels);
}

function addPool(registry: Registry, db: Db): void {
  new Gauge({
    name: 'db_pool_connections',
    help: 'Connections of the database pool by state, and requests that wait for one.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      for (const [state, count] of Object.entries(poolUse(db) ?? {})) this.set({ state }, count);
    },
  });
}

function pageOf(registry: Registry): RequestListener {
  return (req, res) => {
    if (req.method !== 'GET' || req.url?.split('?')[0] !== '/metrics') {
      res.writeHead(404).end();
      return;
    }
    registry.metrics().then(
      (text) => res.writeHead(200, { 'Content-Type': registry.contentType }).end(text),
      () => res.writeHead(500).end(),
    );
  };
}
