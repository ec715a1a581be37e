import { defaultPayloadConverter, type Headers } from '@temporalio/common';
import { currentUpdateInfo, workflowInfo, type WorkflowInterceptors } from '@temporalio/workflow';

/** The header of messages and activities that carries the id of the request that caused them. */
const REQUEST_ID = 'x-request-id';

/** Adds a request's id to the headers of a message or an activity. */
export const withRequestId = (headers: Headers, requestId: string): Headers => ({
  ...headers,
  [REQUEST_ID]: defaultPayloadConverter.toPayload(requestId),
});

/** The id of the request that caused a message or an activity; null if no request did. */
export function requestIdIn(headers: Headers): string | null {
  const payload = headers[REQUEST_ID];
  return payload ? defaultPayloadConverter.fromPayload<string>(payload) : null;
}

/**
 * Carries request ids through every process, so that all log lines of one request can be found together: from an update
 * (if there is none, from the memo of the process) to its activities and to the processes it starts. Interceptors add
 * no commands, so histories replay with and without them.
 */
export function interceptors(): WorkflowInterceptors {
  const requestIdOfUpdate = new Map<string, string>();
  const current = (): string | null => {
    const update = currentUpdateInfo();
    const ofUpdate = update && requestIdOfUpdate.get(update.id);
    const ofStart = workflowInfo().memo?.['requestId'];
    return ofUpdate ?? (typeof ofStart === 'string' ? ofStart : null);
  };
  const withCurrentId = <Input extends { headers: Headers }>(input: Input): Input => {
    const requestId = current();
    return requestId === null ? input : { ...input, headers: withRequestId(input.headers, requestId) };
  };
  return {
    inbound: [
      {
        handleUpdate(input, next) {
          const requestId = requestIdIn(input.headers);
          if (requestId !== null) requestIdOfUpdate.set(input.updateId, requestId);
          return next(input);
        },
      },
    ],
    outbound: [
      {
        scheduleActivity: (input, next) => next(withCurrentId(input)),
        scheduleLocalActivity: (input, next) => next(withCurrentId(input)),
        startChildWorkflowExecution(input, next) {
          const requestId = current();
          if (requestId === null) return next(input);
          const memo = { ...input.options.memo, requestId };
          return next({ ...input, options: { ...input.options, memo } });
        },
        getLogAttributes(input, next) {
          const requestId = current();
          return next(requestId === null ? input : { ...input, requestId });
        },
      },
    ],
  };
}
