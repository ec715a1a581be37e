import { trace } from '@opentelemetry/api';
import type { WorkflowClientInterceptor } from '@temporalio/client';
import {
  makeWorkflowExporter,
  OpenTelemetryActivityInboundInterceptor,
  OpenTelemetryWorkflowClientInterceptor,
} from '@temporalio/interceptors-opentelemetry';
import type { OpenTelemetrySinks } from '@temporalio/interceptors-opentelemetry';
import type { ActivityInterceptorsFactory, InjectedSinks } from '@temporalio/worker';
import type { Watch } from '../../db/sql/query';
import { startTracing } from '../../db/sql/tracing';

/** The hooks that put processes, activities and their SQL into the trace of the request that caused them. */
export interface WorkerTracing {
  /** For the client: processes that an activity starts join its trace. */
  client: WorkflowClientInterceptor;
  activity: ActivityInterceptorsFactory;
  /** Receives the spans of workflows, which only the traced bundle emits. */
  sinks: InjectedSinks<OpenTelemetrySinks>;
  watch: Watch;
  stop: () => Promise<void>;
}

/** Sends the worker's traces to `endpoint`. Import this file only if there is one, because it loads OpenTelemetry. */
export function traceWorker(endpoint: string, warn: (problem: string) => void): WorkerTracing {
  const { resource, processor, watch, stop } = startTracing({
    service: 'marketplace-worker',
    endpoint,
    warn,
  });
  return {
    client: new OpenTelemetryWorkflowClientInterceptor(),
    activity: traceActivity,
    sinks: { exporter: makeWorkflowExporter(processor, resource) },
    watch,
    stop,
  };
}

/** Opens a span around the activity and adds the trace's id to its log lines, also after the span has ended. */
const traceActivity: ActivityInterceptorsFactory = (context) => {
  const spans = new OpenTelemetryActivityInboundInterceptor(context);
  let traceId: string | undefined;
  return {
    inbound: {
      execute: (input, next) =>
        spans.execute(input, (inner) => {
          traceId = trace.getActiveSpan()?.spanContext().traceId;
          return next(inner);
        }),
    },
    outbound: {
      getLogAttributes: (input, next) => next(traceId === undefined ? input : { ...input, traceId }),
    },
  };
};
