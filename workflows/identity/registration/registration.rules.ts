import { HOUR_MS } from '../../kit/values/durations.rules';

/** The lifetime of a mailed token that resets a password. */
export const RESET_LIFETIME_MS = HOUR_MS;

/** The time at which an account that was never verified is removed. */
export const removedAt = (createdAt: Date, unverifiedDays: number): Date =>
  new Date(createdAt.getTime() + unverifiedDays * 24 * HOUR_MS);
