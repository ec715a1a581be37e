import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { REASONS, type Reason } from './reasons';

/** Every refusal of the platform that callers can see, by its code. Each endpoint declares the HTTP status. */
export const ERROR_CODES = [
  'ACCOUNT_BANNED',
  'ACCOUNT_NOT_VERIFIED',
  'ACCOUNT_SUSPENDED',
  'ADDRESS_NOT_FOUND',
  'ALREADY_REVIEWED',
  'ALREADY_SETTLED',
  'ALREADY_SUSPENDED',
  'ALREADY_VERIFIED',
  'AMOUNT_MISMATCH',
  'CANNOT_CANCEL',
  'CANNOT_MODIFY_SUPER_ADMIN',
  'CANNOT_REFUND',
  'CANNOT_REVOKE_CURRENT',
  'CANNOT_SETTLE',
  'CANNOT_SUSPEND_ADMIN',
  'CART_EMPTY',
  'CART_ITEM_NOT_FOUND',
  'CATEGORY_NOT_FOUND',
  'CODE_ALREADY_EXISTS',
  'CODE_EXPIRED',
  'COUPON_NOT_FOUND',
  'EMAIL_ALREADY_EXISTS',
  'EMAIL_NOT_VERIFIED',
  'FILE_TOO_LARGE',
  'FORBIDDEN',
  'HAS_PENDING_ORDERS',
  'IDEMPOTENCY_IN_PROGRESS',
  'IDEMPOTENCY_KEY_REUSED',
  'IMAGE_NOT_FOUND',
  'INSUFFICIENT_BALANCE',
  'INSUFFICIENT_STOCK',
  'INTERNAL_ERROR',
  'INVALID_ADDRESS',
  'INVALID_CODE',
  'INVALID_COUPON',
  'INVALID_CREDENTIALS',
  'INVALID_DESTINATION',
  'INVALID_FILE_TYPE',
  'INVALID_PASSWORD',
  'INVALID_REFERRAL_CODE',
  'INVALID_REFRESH_TOKEN',
  'INVALID_SHIPPING_METHOD',
  'INVALID_SIGNATURE',
  'INVALID_TOKEN',
  'INVALID_TWO_FACTOR_CODE',
  'ITEMS_UNAVAILABLE',
  'KYC_REQUIRED',
  'MAX_QUANTITY_EXCEEDED',
  'METHOD_NOT_ALLOWED',
  'NOT_FOUND',
  'NOT_PARKED',
  'NOT_PAYABLE',
  'NOT_PENDING',
  'NOT_PURCHASED',
  'NOT_SHIPPED',
  'NOT_SUSPENDED',
  'OPERATION_NOT_FOUND',
  'ORDER_NOT_FOUND',
  'PASSWORD_MISMATCH',
  'PASSWORD_RECENTLY_USED',
  'PASSWORD_TOO_WEAK',
  'PAYLOAD_TOO_LARGE',
  'PHONE_ALREADY_EXISTS',
  'PHONE_NOT_VERIFIED',
  'PRICE_CHANGED',
  'PRODUCT_NOT_FOUND',
  'PRODUCT_UNAVAILABLE',
  'PROVIDER_NOT_CONFIGURED',
  'PROVIDER_NOT_FOUND',
  'RATE_LIMIT_EXCEEDED',
  'REAUTHENTICATION_REQUIRED',
  'REFRESH_TOKEN_EXPIRED',
  'REFUND_ALREADY_REQUESTED',
  'REFUND_NOT_FOUND',
  'REFUND_PERIOD_EXPIRED',
  'REVIEW_NOT_FOUND',
  'SERVICE_UNAVAILABLE',
  'SESSION_NOT_FOUND',
  'SESSION_REVOKED',
  'SETUP_NOT_INITIATED',
  'SHIPPING_METHOD_NOT_FOUND',
  'SHIPPING_NOT_AVAILABLE',
  'SKU_ALREADY_EXISTS',
  'SLUG_ALREADY_EXISTS',
  'TAX_RATE_NOT_FOUND',
  'TOKEN_EXPIRED',
  'TWO_FACTOR_ALREADY_ENABLED',
  'TWO_FACTOR_NOT_ENABLED',
  'TWO_FACTOR_REQUIRED',
  'TWO_FACTOR_SETUP_REQUIRED',
  'UNAUTHORIZED',
  'UNSUPPORTED_MEDIA_TYPE',
  'URI_TOO_LONG',
  'USER_NOT_FOUND',
  'VALIDATION_ERROR',
  'VARIANT_NOT_FOUND',
] as const;

/** The refusals that processes raise for themselves only; no endpoint declares them. */
const INTERNAL_CODES = ['ABANDONED'] as const;

export type ErrorCode = (typeof ERROR_CODES)[number] | (typeof INTERNAL_CODES)[number];

/** The invalid fields with their messages, as the caller named them: `items.0.quantity → ["must be at least 1"]`. */
export type RefusalDetails = Record<string, string[]>;

export interface Refused {
  code: ErrorCode;
  message: string;
  details?: RefusalDetails;
  /** The rule that was broken; callers see it as `details.reason`. */
  reason?: Reason;
}

/**
 * Creates a refusal: the answer no, with a code. It is never retried or logged as a failure, and reaches the caller
 * unchanged from an activity through its workflow. Callers see the message and `details`.
 */
export const refusal = (code: ErrorCode, message: string, details?: RefusalDetails): ApplicationFailure =>
  refusalOf({ code, message, ...(details && { details }) });

/**
 * Creates a refusal by a rule of the business, which the contract puts under VALIDATION_ERROR: callers see the rule as
 * `details.reason`, and the fields that break it, if it can be said of fields.
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
    ...((details || reason) && { details: [{ ...details, ...(reason && { reason }) }] }),
  });
}

/** The refusal inside an error, under any failures that wrap it; null if there is none. */
export function refusalIn(error: unknown): Refused | null {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if (at instanceof ApplicationFailure && isErrorCode(at.type))
      return { code: at.type, message: at.message, ...detailsIn(at.details?.[0]) };
  }
  return null;
}

/** Tells the rule, which is a text, from the messages of a field that is called `reason`, which are a list. */
function detailsIn(sent: unknown): Pick<Refused, 'details' | 'reason'> {
  if (typeof sent !== 'object' || sent === null) return {};
  const fields = Object.entries(sent).filter(([, messages]) => Array.isArray(messages));
  const reason = (sent as { reason?: unknown }).reason;
  return {
    ...(fields.length > 0 && { details: Object.fromEntries<string[]>(fields) }),
    ...(isReason(reason) && { reason }),
  };
}

function isErrorCode(type: unknown): type is ErrorCode {
  return ([...ERROR_CODES, ...INTERNAL_CODES] as readonly unknown[]).includes(type);
}

function isReason(reason: unknown): reason is Reason {
  return (REASONS as readonly unknown[]).includes(reason);
}
