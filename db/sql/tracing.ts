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
 * How this process's traces leave it. It stands in db because API and workers both need it and stand on nothing else
 * together. Importing it loads OpenTelemetry: import it only when there is somewhere to send traces to.
 */
export interface Tracing {
  resource: Resource;
  processor: SpanProcessor;
  /** For `connect`: a span for every statement and transaction that is part of a trace. */
  watch: Watch;
  /** Sends what is still here, for a few seconds at most. */
  stop: () => Promise<void>;
}

/** A collector that is away must not hold up the end of the process. */
const LONGEST_FLUSH_MS = 3_000;
/** Long enough for any statement of ours; a cut one is still recognised. */
const LONGEST_STATEMENT = 2_000;
const LONGEST_PROBLEM = 300;

/**
 * Makes traces of this process go to `endpoint` (OTLP over HTTP, the base address), under the name of `service`.
 * Troubles with sending are told to `warn` and trouble nobody else.
 */
export function startTracing(options: {
  service: string;
  endpoint: string;
  warn: (problem: string) => void;
}): Tracing {
  const { service, endpoint, warn } = options;
  const tell = (message: string): void => warn(message.slice(0, LONGEST_PROBLEM));
  const ignore = (): void => undefined;
  diag.setLogger(
    { error: tell, warn: tell, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  const resource = new Resource({ 'service.name': service });
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`;
  const processor = new BatchSpanProcessor(new OTLPTraceExporter({ url }));
  const provider = new NodeTracerProvider({ resource, spanProcessors: [processor] });
  // Without baggage: what strangers send in that header would be kept in the histories of processes.
  provider.register({ propagator: new W3CTraceContextPropagator() });
  return { resource, processor, watch: watchStatements(), stop: () => stop(provider, tell) };
}

async function stop(provider: NodeTracerProvider, tell: (problem: string) => void): Promise<void> {
  const given = new AbortController();
  const flushed = provider.shutdown().catch((error: unknown) => tell(String(error)));
  await Promise.race([
    flushed,
    pause(LONGEST_FLUSH_MS, undefined, { signal: given.signal }).catch(() => undefined),
  ]);
  given.abort();
  trace.disable();
  context.disable();
  propagation.disable();
  diag.disable();
}

/** Only what belongs to a request or an activity: what polls and probes would be a trace of its own each time. */
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
        // The message may quote a value; what it was is in the log line of whoever handles it.
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

/** Statements answer their rows, or how many they touched; transactions answer anything, which says nothing here. */
function rowsIn(result: unknown): number | null {
  if (Array.isArray(result)) return result.length;
  return typeof result === 'number' ? result : null;
}
