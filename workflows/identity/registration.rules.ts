const HOUR_MS = 3_600_000;

/** How long a mailed verification token is good. */
export const VERIFICATION_LIFETIME_MS = 24 * HOUR_MS;

/** How long a mailed token to reset a password is good. */
export const RESET_LIFETIME_MS = HOUR_MS;

const UNVERIFIED_DAYS = 7;

/** When an account that nobody verified is removed. */
export const removedAt = (createdAt: Date): Date =>
  new Date(createdAt.getTime() + UNVERIFIED_DAYS * 24 * HOUR_MS);
