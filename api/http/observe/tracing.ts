import {
  context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Span,
} from '@opentelemetry/api';
import type { WorkflowClientInterceptor } from '@temporalio/client';
import { OpenTelemetryWorkflowClientInterceptor } from '@temporalio/interceptors-opentelemetry';
import type { Request, RequestHandler, Response } from 'express';
import type { Watch } from '../../../db/sql/query';
import { startTracing } from '../../../db/sql/tracing';
import { requestStateOf } from './request-state';

/** The hooks that put a request, its calls to processes and its SQL into one trace. */
export interface RequestTracing {
  /** Opens a span around everything after `beginRequest`. */
  handler: RequestHandler;
  /** For Temporal's client: continues the trace in the process. */
  client: WorkflowClientInterceptor;
  watch: Watch;
  stop: () => Promise<void>;
}

/** Sends the API's traces to `endpoint`. Import this file only if there is one, because it loads OpenTelemetry. */
export function traceRequests(endpoint: string, warn: (problem: string) => void): RequestTracing {
  const { watch, stop } = startTracing({ service: 'marketplace-api', endpoint, warn });
  return { handler: spanAround(), client: new OpenTelemetryWorkflowClientInterceptor(), watch, stop };
}

/** Continues the caller's trace (W3C `traceparent`). Probes are too frequent to be traced. */
function spanAround(): RequestHandler {
  const tracer = trace.getTracer('http');
  return (req, res, next) => {
    if (req.path.startsWith('/health/')) {
      next();
      return;
    }
    const caller = propagation.extract(ROOT_CONTEXT, req.headers);
    const span = tracer.startSpan(req.method, { kind: SpanKind.SERVER }, caller);
    requestStateOf(req).traceId = span.spanContext().traceId;
    res.once('close', () => finish(span, req, res));
    context.with(trace.setSpan(caller, span), next);
  };
}

/** Ends the span and names it by its route template, which is only known after routing. */
function finish(span: Span, req: Request, res: Response): void {
  const { authenticated, endpoint, requestId, workflowIds } = requestStateOf(req);
  if (endpoint) span.updateName(`${req.method} ${endpoint.path}`).setAttribute('http.route', endpoint.path);
  span.setAttributes({
    'http.request.method': req.method,
    'http.response.status_code': res.statusCode,
    'request.id': requestId,
    ...(authenticated && { 'user.id': authenticated.caller.id }),
    ...(workflowIds.size > 0 && { 'workflow.ids': [...workflowIds] }),
  });
  if (res.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}
