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
import { requestStateOf } from './visit';

/** What the API hands on so that a request, what it asks of processes and its SQL are one trace. */
export interface RequestTracing {
  /** First after the visit began: a span around everything else. */
  handler: RequestHandler;
  /** For Temporal's client: the trace goes on in the process. */
  client: WorkflowClientInterceptor;
  watch: Watch;
  stop: () => Promise<void>;
}

/** Makes the API's traces go to `endpoint`. Importing this loads OpenTelemetry: only when there is an endpoint. */
export function traceRequests(endpoint: string, warn: (problem: string) => void): RequestTracing {
  const { watch, stop } = startTracing({ service: 'marketplace-api', endpoint, warn });
  return { handler: spanAround(), client: new OpenTelemetryWorkflowClientInterceptor(), watch, stop };
}

/** Takes a W3C `traceparent` over, so that a caller's trace goes on here. Probes come too often to be worth a trace. */
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

/** Named by route template, like metrics: only now is it known what the request was. */
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
