import type { ApplicationFailure } from '@temporalio/common';
import { businessRefusal, refusal } from '../../../workflows/errors';

/** The messages for requests to a process that has closed. */
const MESSAGES = {
  ALREADY_SETTLED: 'This refund is already settled.',
  ALREADY_SUSPENDED: 'This user is already suspended.',
  ALREADY_VERIFIED: 'This email address is already verified.',
  CANNOT_CANCEL: 'This order can no longer be cancelled.',
  CART_EMPTY: 'The cart is empty.',
  INVALID_CREDENTIALS: 'The email address or the password is wrong.',
  INVALID_TOKEN: 'This token is already used.',
  NOT_PARKED: 'This operation is no longer waiting for a decision.',
  NOT_PAYABLE: 'This order can no longer be paid.',
  NOT_PENDING: 'This refund request is already decided.',
  NOT_REVIEWABLE: 'This verification is already decided.',
  NOT_SUSPENDED: 'This user is not suspended.',
  REFUND_ALREADY_REQUESTED: 'A refund request for this order is already open.',
  SERVICE_UNAVAILABLE: 'The request was interrupted. Send it again.',
} as const;

/** A code with its message here; VALIDATION_ERROR is for decisions about users, which name their rule. */
export type ClosedCode = keyof typeof MESSAGES | 'VALIDATION_ERROR';

/** The refusal of an update to a process that has closed. */
export const closedRefusal = (code: ClosedCode): ApplicationFailure =>
  code === 'VALIDATION_ERROR'
    ? businessRefusal(
        'USER_STATUS_NOT_ALLOWED',
        'Another decision about this user was made at the same time.',
      )
    : refusal(code, MESSAGES[code]);
