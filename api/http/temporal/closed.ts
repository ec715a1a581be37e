import type { ApplicationFailure } from '@temporalio/common';
import { CLOSED_MESSAGES } from '../../../workflows/error-codes';
import { businessRefusal, refusal, type ErrorCode } from '../../../workflows/errors';

/** The messages by any code; most have none of their own. */
const MESSAGES: Partial<Record<ErrorCode, string>> = CLOSED_MESSAGES;

/** The refusal of an update to a process that has closed. VALIDATION_ERROR is for decisions about users, which name their rule. */
export const closedRefusal = (code: ErrorCode): ApplicationFailure =>
  code === 'VALIDATION_ERROR'
    ? businessRefusal('USER_STATUS_NOT_ALLOWED', CLOSED_MESSAGES.VALIDATION_ERROR)
    : refusal(code, MESSAGES[code]);
