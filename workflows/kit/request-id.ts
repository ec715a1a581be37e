import { defaultPayloadConverter, type Headers } from '@temporalio/common';
import { currentUpdateInfo, workflowInfo, type WorkflowInterceptors } from '@temporalio/workflow';

/** The header by which messages and activities carry the id of the request that caused them. */
const REQUEST_ID = 'x-request-id';

/** Adds a request's id to what goes to a process or an activity. */
export const withRequestId = (headers: Headers, requestId: string): Headers => ({
  ...headers,
  [REQUEST_ID]: defaultPayloadConverter.toPayload(requestId),
});

/** The id of the request that caused a message or an activity; null when no request did. */
export function requestIdIn(headers: Headers): string | null {
  const payload = headers[REQUEST_ID];
  return payload ? defaultPayloadConverter.fromPayload<string>(payload) : null;
}

/**
 * Carries request ids through every process, so that all log lines of one wish can be found together: from an update
 * to what it does, otherwise from the memo of the process, to activities and to the processes it starts. It adds
 * nothing to the order of events, so histories replay with and without it.
 */
export function interceptors(): WorkflowInterceptors {
  const ofUpdate = new Map<string, string>();
  const current = (): string | null => {
    const update = currentUpdateInfo();
    const asked = update && ofUpdate.get(update.id);
    const started = workflowInfo().memo?.['requestId'];
    return asked ?? (typeof started === 'string' ? started : null);
  };
  const stamped = <Input extends { headers: Headers }>(input: Input): Input => {
    const requestId = current();
    return requestId === null ? input : { ...input, headers: withRequestId(input.headers, requestId) };
  };
  return {
    inbound: [
      {
        handleUpdate(input, next) {
          const requestId = requestIdIn(input.headers);
          if (requestId !== null) ofUpdate.set(input.updateId, requestId);
          return next(input);
        },
      },
    ],
    outbound: [
      {
        scheduleActivity: (input, next) => next(stamped(input)),
        scheduleLocalActivity: (input, next) => next(stamped(input)),
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
