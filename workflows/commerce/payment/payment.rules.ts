import { HOUR_MS, MINUTE_MS } from '../../kit/values/durations.rules';

/** A buyer's ways to pay. BALANCE is their own wallet and settles at once. */
export type PaymentMethod = 'CARD' | 'BANK_TRANSFER' | 'EWALLET' | 'BALANCE';

/** The part of the policy that limits how long an order waits for its payment. */
export interface PaymentWindows {
  readonly cardWindowMinutes: number;
  readonly transferWindowHours: number;
  /** The longest wait of an order, however many attempts are made. */
  readonly longestPaymentHours: number;
}

/** The deadline of an attempt opened at `at`, for an order placed at `placedAt` (all ISO 8601). */
export function payUntil(
  windows: PaymentWindows,
  { method, placedAt, at }: { method: PaymentMethod; placedAt: string; at: string },
): string {
  const windowMs =
    method === 'BANK_TRANSFER'
      ? windows.transferWindowHours * HOUR_MS
      : windows.cardWindowMinutes * MINUTE_MS;
  const byMethod = Date.parse(at) + windowMs;
  const byOrder = Date.parse(placedAt) + windows.longestPaymentHours * HOUR_MS;
  return new Date(Math.min(byMethod, byOrder)).toISOString();
}

/** The later of two moments, both ISO 8601 in UTC with milliseconds. */
export const laterOf = (a: string, b: string): string => (a > b ? a : b);
