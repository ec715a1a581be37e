import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { requestIdIn } from '../../workflows/kit/request-id';

/** Adds the id of the request that caused an activity, from its headers, to its log lines. */
export const logRequestId: ActivityInterceptorsFactory = () => {
  let requestId: string | null = null;
  return {
    inbound: {
      execute(input, next) {
        requestId = requestIdIn(input.headers);
        return next(input);
      },
    },
    outbound: {
      getLogAttributes: (input, next) => next(requestId === null ? input : { ...input, requestId }),
    },
  };
};
