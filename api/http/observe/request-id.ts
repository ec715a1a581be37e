import { AsyncLocalStorage } from 'node:async_hooks';
import type { WorkflowClientInterceptor } from '@temporalio/client';
import { withRequestId } from '../../../workflows/kit/request-id';

const currentRequestId = new AsyncLocalStorage<string>();

/** Runs a call to Temporal on behalf of a request, so that `carryRequestId` finds the request's id. */
export const onBehalfOf = <T>(requestId: string | null, call: () => Promise<T>): Promise<T> =>
  requestId === null ? call() : currentRequestId.run(requestId, call);

/** Adds the request's id to the headers of updates; a process that is started gets it in its memo. */
export const carryRequestId: WorkflowClientInterceptor = {
  startUpdate(input, next) {
    const requestId = currentRequestId.getStore();
    return next(
      requestId === undefined ? input : { ...input, headers: withRequestId(input.headers, requestId) },
    );
  },
  startUpdateWithStart(input, next) {
    const requestId = currentRequestId.getStore();
    if (requestId === undefined) return next(input);
    return next({ ...input, updateHeaders: withRequestId(input.updateHeaders, requestId) });
  },
};
