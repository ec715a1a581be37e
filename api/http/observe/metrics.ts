import type { RequestHandler } from 'express';
import type { RequestListener } from 'node:http';
import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';
import { addPoolMetrics } from '../../../db/sql/pool/pool-metrics';
import type { Db } from '../../../db/sql/query';
import type { Endpoint } from '../endpoint';
import { scanCounter, type CountScan } from './scan-counter';
import { SECURITY_EVENTS, type CountSecurityEvent } from './security-events';
import { refusalCounters, type CountRefusal } from './refusal-counters';
import { errorCodeOf, methodLabel, routeLabel } from './request-labels';
import { requestStateOf } from './request-state';

const DURATION_BUCKETS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The metrics of this process: `observe` counts requests, `page` answers Prometheus. */
export interface Metrics {
  observe: RequestHandler;
  countScan: CountScan;
  countSecurityEvent: CountSecurityEvent;
  page: RequestListener;
}

interface MetricsDeps {
  db: Db;
  endpoints: readonly Endpoint[];
  /** Adds metrics that a part of the program has of its own. */
  addMetrics?: ((registry: Registry) => void) | undefined;
}

export function createMetrics({ db, endpoints, addMetrics }: MetricsDeps): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  addPoolMetrics(registry, db);
  addMetrics?.(registry);
  return {
    observe: observer(registry, refusalCounters(registry, endpoints)),
    countScan: scanCounter(registry),
    countSecurityEvent: securityCounter(registry),
    page: pageOf(registry),
  };
}

/** The label of requests that were not refused. */
const NO_CODE = 'none';

/**
 * Counts by route template and error code. Durations have the class of the status only, because each series of a
 * histogram is one for each bucket.
 */
function observer(registry: Registry, countRefusal: CountRefusal): RequestHandler {
  const registers = [registry];
  const requests = new Counter({
    name: 'http_requests_total',
    help: 'Answered requests since the start of the process, by error code (none: not refused).',
    labelNames: ['method', 'route', 'status', 'code'] as const,
    registers,
  });
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request’s arrival to the end of its answer.',
    labelNames: ['method', 'route', 'status_class'] as const,
    registers,
    buckets: DURATION_BUCKETS_SECONDS,
  });
  return (req, res, next) => {
    const startedAt = process.hrtime.bigint();
    res.once('finish', () => {
      const place = { method: methodLabel(req), route: routeLabel(req) };
      const status = String(res.statusCode);
      const code = errorCodeOf(req, res);
      const { endpoint, replayed } = requestStateOf(req);
      requests.inc({ ...place, status, code: code ?? NO_CODE });
      if (endpoint && code !== null && !replayed) countRefusal(endpoint, code);
      durations.observe(
        { ...place, status_class: `${status.charAt(0)}xx` },
        Number(process.hrtime.bigint() - startedAt) / 1e9,
      );
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
