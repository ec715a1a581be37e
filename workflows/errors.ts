import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { ERROR_MESSAGES } from './error-codes';
import { REASONS, type Reason } from './reasons';

/** The refusals that processes raise for themselves only; no endpoint declares them. */
const INTERNAL_MESSAGES = { ABANDONED: 'An operator abandoned it.' } as const;

/** The message of each code by default. */
export const MESSAGES: Readonly<Record<ErrorCode, string>> = { ...ERROR_MESSAGES, ...INTERNAL_MESSAGES };

export type ErrorCode = keyof typeof ERROR_MESSAGES | keyof typeof INTERNAL_MESSAGES;

/** The invalid fields with their messages, as the caller named them: `items.0.quantity → ["must be at least 1"]`. */
export type RefusalDetails = Record<string, string[]>;

export interface Refused {
  code: ErrorCode;
  message: string;
  details?: RefusalDetails;
  /** The rule that was broken; callers see it as `reason`. */
  reason?: Reason;
}

/**
 * Creates a refusal: the answer no, with a code. It is never retried or logged as a failure, and reaches the caller
 * unchanged from an activity through its workflow. Callers see the message, that of the code by default, and `details`.
 */
export const refusal = (
  code: ErrorCode,
  message: string = MESSAGES[code],
  details?: RefusalDetails,
): ApplicationFailure => refusalOf({ code, message, ...(details && { details }) });

/**
 * Creates a refusal by a rule of the business, which the contract puts under VALIDATION_ERROR: callers see the rule as
 * `reason`, and in `details` the fields that break it, if it can be said of fields.
 */
export const businessRefusal = (
  reason: Reason,
  message: string,
  details?: RefusalDetails,
): ApplicationFailure =>
  refusalOf({ code: 'VALIDATION_ERROR', message, reason, ...(details && { details }) });

/** The refusal as a failure; what `refusalIn` found is passed on by it. */
export function refusalOf({ code, message, details, reason }: Refused): ApplicationFailure {
  return ApplicationFailure.create({
    type: code,
    message,
    nonRetryable: true,
    category: ApplicationFailureCategory.BENIGN,
    ...((details || reason) && { details: [details ?? {}, ...(reason ? [reason] : [])] }),
  });
}

/** The refusal inside an error, under any failures that wrap it; null if there is none. */
export function refusalIn(error: unknown): Refused | null {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if (at instanceof ApplicationFailure && isErrorCode(at.type))
      return { code: at.type, message: at.message, ...partsIn(at.details) };
  }
  return null;
}

/** The parts that `refusalOf` put in; a failure may come from other code, so nothing is assumed of its form. */
function partsIn(sent: readonly unknown[] | null | undefined): Pick<Refused, 'details' | 'reason'> {
  const [details, reason] = sent ?? [];
  return {
    ...(isDetails(details) && { details }),
    ...(isReason(reason) && { reason }),
  };
}

const isDetails = (details: unknown): details is RefusalDetails =>
  typeof details === 'object' &&
  details !== null &&
  Object.keys(details).length > 0 &&
  Object.values(details).every(Array.isArray);

const isErrorCode = (type: unknown): type is ErrorCode =>
  typeof type === 'string' && Object.hasOwn(MESSAGES, type);

const isReason = (reason: unknown): reason is Reason => (REASONS as readonly unknown[]).includes(reason);
