import { AsyncLocalStorage } from 'node:async_hooks';
import type { WorkflowClientInterceptor } from '@temporalio/client';
import { withRequestId } from '../../../workflows/kit/request-id';

const asking = new AsyncLocalStorage<string>();

/** Runs a call to Temporal on behalf of a request, which `carryRequestId` then knows. */
export const onBehalfOf = <T>(requestId: string | null, call: () => Promise<T>): Promise<T> =>
  requestId === null ? call() : asking.run(requestId, call);

/** Sends the request's id along with what is asked of a running process; one that is started has it in its memo. */
export const carryRequestId: WorkflowClientInterceptor = {
  startUpdate(input, next) {
    const requestId = asking.getStore();
    return next(
      requestId === undefined ? input : { ...input, headers: withRequestId(input.headers, requestId) },
    );
  },
  startUpdateWithStart(input, next) {
    const requestId = asking.getStore();
    if (requestId === undefined) return next(input);
    return next({ ...input, updateHeaders: withRequestId(input.updateHeaders, requestId) });
  },
};
