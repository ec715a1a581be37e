import {
  context,
  diag,
  DiagLogLevel,
  propagation,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { Resource } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider, type SpanProcessor } from '@opentelemetry/sdk-trace-node';
import { setTimeout as pause } from 'node:timers/promises';
import type { Watch } from './query';

/**
 * Export of this process's traces. It is in db because both API and workers import db. Importing it loads
 * OpenTelemetry: import it only when traces are to be sent.
 */
export interface Tracing {
  resource: Resource;
  processor: SpanProcessor;
  /** Makes a span for every statement and transaction that is part of a trace; for `connect`. */
  watch: Watch;
  /** Sends the remaining spans, within a few seconds. */
  stop: () => Promise<void>;
}

/** Limit of the last export, so that an unreachable collector does not delay the end of the process. */
const LONGEST_FLUSH_MS = 3_000;
/** Characters of a statement in a span, enough for nearly all of ours. */
const LONGEST_STATEMENT = 2_000;
const LONGEST_PROBLEM = 300;

/**
 * Sends traces of this process to `endpoint` (OTLP over HTTP, the base address) under the name of `service`. Failures
 * to send are reported to `warn` and have no other effect.
 */
export function startTracing(options: {
  service: string;
  endpoint: string;
  warn: (problem: string) => void;
}): Tracing {
  const { service, endpoint, warn } = options;
  const report = (message: string): void => warn(message.slice(0, LONGEST_PROBLEM));
  const ignore = (): void => undefined;
  diag.setLogger(
    { error: report, warn: report, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  const resource = new Resource({ 'service.name': service });
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`;
  const processor = new BatchSpanProcessor(new OTLPTraceExporter({ url }));
  const provider = new NodeTracerProvider({ resource, spanProcessors: [processor] });
  // Without baggage: clients' values of that header would be stored in the histories of processes.
  provider.register({ propagator: new W3CTraceContextPropagator() });
  return { resource, processor, watch: watchStatements(), stop: () => stop(provider, report) };
}

async function stop(provider: NodeTracerProvider, report: (problem: string) => void): Promise<void> {
  const timeout = new AbortController();
  const flushed = provider.shutdown().catch((error: unknown) => report(String(error)));
  await Promise.race([
    flushed,
    pause(LONGEST_FLUSH_MS, undefined, { signal: timeout.signal }).catch(() => undefined),
  ]);
  timeout.abort();
  trace.disable();
  context.disable();
  propagation.disable();
  diag.disable();
}

/** Records statements of requests and activities only; polls and probes would each begin a trace of their own. */
function watchStatements(): Watch {
  const tracer = trace.getTracer('sql');
  return (statement, run) => {
    if (!trace.getActiveSpan()) return run();
    const text = statement.trim().replace(/\s+/g, ' ').slice(0, LONGEST_STATEMENT);
    const attributes = { 'db.system': 'postgresql', 'db.statement': text };
    return tracer.startActiveSpan(nameOf(text), { kind: SpanKind.CLIENT, attributes }, async (span) => {
      try {
        const result = await run();
        const count = rowsIn(result);
        if (count !== null) span.setAttribute('db.rows', count);
        return result;
      } catch (error) {
        // Without the message, which may quote a value; the handler's log line has it.
        span.setStatus({
          code: SpanStatusCode.ERROR,
          message: error instanceof Error ? error.name : 'unknown',
        });
        throw error;
      } finally {
        span.end();
      }
    });
  };
}

const nameOf = (text: string): string => /^[A-Za-z]+/.exec(text)?.[0].toUpperCase() ?? 'SQL';

/** The number of rows in a statement's result; null for results of transactions, which may be anything. */
function rowsIn(result: unknown): number | null {
  if (Array.isArray(result)) return result.length;
  return typeof result === 'number' ? result : null;
}
