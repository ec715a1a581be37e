import type { ApplicationFailure } from '@temporalio/common';
import { businessRefusal, refusal, type ErrorCode } from '../../../workflows/errors';

/** Messages of a closed process that differ from those of the codes. */
const MESSAGES: Partial<Record<ErrorCode, string>> = {
  INVALID_TOKEN: 'This token is already used.',
  NOT_PARKED: 'This operation is no longer waiting for a decision.',
  NOT_REVIEWABLE: 'This verification is already decided.',
  REFUND_ALREADY_REQUESTED: 'A refund request for this order is already open.',
  SERVICE_UNAVAILABLE: 'The request was interrupted. Send it again.',
};

/** The refusal of an update to a process that has closed. VALIDATION_ERROR is for decisions about users, which name their rule. */
export const closedRefusal = (code: ErrorCode): ApplicationFailure =>
  code === 'VALIDATION_ERROR'
    ? businessRefusal(
        'USER_STATUS_NOT_ALLOWED',
        'Another decision about this user was made at the same time.',
      )
    : refusal(code, MESSAGES[code]);
