const HOUR_MS = 3_600_000;

/** How long a mailed token to reset a password is good. */
export const RESET_LIFETIME_MS = HOUR_MS;

/** When an account that nobody verified is removed. */
export const removedAt = (createdAt: Date, unverifiedDays: number): Date =>
  new Date(createdAt.getTime() + unverifiedDays * 24 * HOUR_MS);
