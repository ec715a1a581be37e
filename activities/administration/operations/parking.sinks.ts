import type { InjectedSinks } from '@temporalio/worker';
import { endRetry } from '../../../db/administration/operations/parking.writes';
import type { Db } from '../../../db/sql/query';
import type { ParkingSinks } from '../../../workflows/kit/parking.contract';

/** Takes processes whose retried step has ended off the operators' list; what it misses, the hourly check removes. */
export const parkingSinks = (db: Db): InjectedSinks<ParkingSinks> => ({
  parking: {
    retryEnded: {
      fn: ({ workflowId }, { at, reason }) => endRetry(db, workflowId, new Date(at), reason),
      callDuringReplay: false,
    },
  },
});
