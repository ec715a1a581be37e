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

/** What a worker hands on so that processes, activities and their SQL are part of the traces of who caused them. */
export interface WorkerTracing {
  /** For the client: what activities start goes into the trace of the activity. */
  client: WorkflowClientInterceptor;
  activity: ActivityInterceptorsFactory;
  /** Takes the spans out of the processes' sandbox; they come only from the traced bundle. */
  sinks: InjectedSinks<OpenTelemetrySinks>;
  watch: Watch;
  stop: () => Promise<void>;
}

/** Makes the worker's traces go to `endpoint`. Like what it imports, to be imported only when there is one. */
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

/** A span around the activity, and the trace's id on its log lines, also on those written when the span has ended. */
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
