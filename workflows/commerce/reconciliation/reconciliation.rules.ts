import { DAY_MS, HOUR_MS } from '../../kit/values/durations.rules';

/**
 * The kinds of movements of money on our account with a provider. CHARGEBACK_RETURNED: a buyer's bank gave back what it had taken.
 * TRANSFER_OUT: money sent to people. FEE: kept by the provider; below zero, returned to us.
 */
export const MOVEMENT_KINDS = [
  'CAPTURE',
  'REFUND',
  'CHARGEBACK',
  'CHARGEBACK_RETURNED',
  'TRANSFER_OUT',
  'FEE',
] as const;
export type MovementKind = (typeof MOVEMENT_KINDS)[number];

/**
 * The kinds of differences. MISSING_HERE: only the provider knows it. MISSING_THERE: only we do. AMOUNT, CURRENCY: both do, and say
 * different things. TWICE: two movements on one side are one on the other. CLEARING: the clearing account of a day does not
 * hold what our movements of that day come to.
 */
export const DIFFERENCE_KINDS = [
  'MISSING_HERE',
  'MISSING_THERE',
  'AMOUNT',
  'CURRENCY',
  'TWICE',
  'CLEARING',
] as const;
export type DifferenceKind = (typeof DIFFERENCE_KINDS)[number];

/** A difference is OPEN until it is gone, or a person says that it is explained. */
export const DIFFERENCE_STATUSES = ['OPEN', 'RESOLVED'] as const;

/** A day is compared so long after its end, so that reports of its last moments are here. */
const SETTLED_AFTER_MS = HOUR_MS;

/** A day in UTC: from `startsAt` on, before `endsAt`. */
export interface UtcDay {
  startsAt: Date;
  endsAt: Date;
}

/** The day of this name (YYYY-MM-DD); null if there is none. */
export function utcDay(day: string): UtcDay | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return null;
  const startsAt = new Date(`${day}T00:00:00.000Z`);
  if (Number.isNaN(startsAt.getTime()) || dayOf(startsAt) !== day) return null;
  return { startsAt, endsAt: new Date(startsAt.getTime() + DAY_MS) };
}

/** The day (YYYY-MM-DD, UTC) of a moment, or so many days before it. */
export const dayOf = (at: Date, daysBefore = 0): string =>
  new Date(at.getTime() - daysBefore * DAY_MS).toISOString().slice(0, 10);

/** The last days, the latest first, that can be compared at a moment. */
export const lastDays = (at: Date, count: number): string[] =>
  Array.from({ length: count }, (_, before) => dayOf(new Date(at.getTime() - SETTLED_AFTER_MS), before + 1));

/** The number of days back that can be compared: what was said longer ago is deleted. The sandbox deletes its own statement, too. */
export const comparableDays = (
  provider: string,
  { reconciliationDays, sandboxDays }: { reconciliationDays: number; sandboxDays: number },
): number => (provider === 'sandbox' ? Math.min(reconciliationDays, sandboxDays - 1) : reconciliationDays);

/** The reason why a day cannot be compared at a moment; null if it can be. */
export function whyNotComparable(day: string, mostDays: number, at: Date): string | null {
  const found = utcDay(day);
  if (!found) return 'must be a day, such as 2026-11-23';
  if (found.endsAt.getTime() + SETTLED_AFTER_MS > at.getTime()) return 'must have ended an hour ago (UTC)';
  return day < dayOf(at, mostDays) ? `must lie within the last ${mostDays} days` : null;
}
