/** How a buyer may pay. BALANCE is the buyer's own wallet and settles at once. */
export type PaymentMethod = 'CARD' | 'BANK_TRANSFER' | 'EWALLET' | 'BALANCE';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** How long goods stay reserved for a payment by this method; a balance settles at once. */
const WINDOW_MS: Record<PaymentMethod, number> = {
  CARD: 30 * MINUTE_MS,
  EWALLET: 30 * MINUTE_MS,
  BALANCE: 30 * MINUTE_MS,
  BANK_TRANSFER: 72 * HOUR_MS,
};

/** Chosen: however often a buyer tries again, goods are held no longer than for the slowest method. */
const LONGEST_HOLD_MS = 72 * HOUR_MS;

/** Until when an attempt opened at `at` may be paid, for an order placed at `placedAt` (all ISO 8601). */
export function payUntil(method: PaymentMethod, placedAt: string, at: string): string {
  const byMethod = Date.parse(at) + WINDOW_MS[method];
  const byOrder = Date.parse(placedAt) + LONGEST_HOLD_MS;
  return new Date(Math.min(byMethod, byOrder)).toISOString();
}
