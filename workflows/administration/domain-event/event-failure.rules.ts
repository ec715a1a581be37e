/** The waits after failed tries to apply an event, in milliseconds; after the last try it is parked. */
export const WAITS_MS: readonly number[] = [1_000, 5_000, 30_000, 120_000];

/** The tries after which a delivery is parked, and each one more parks it again. */
export const MOST_TRIES = WAITS_MS.length + 1;

/** A cause that many events have in common is gone some time later, and nobody should have to retry each of them. */
export const TRY_AGAIN_EVERY_MS = 3_600_000;

/** The tries without a person while a delivery is parked; then only a person decides. */
const MOST_TRIES_AGAIN = 24;

/** True if a delivery that failed so often is tried again without a person. */
export const isTriedHourly = (attempts: number): boolean => attempts < MOST_TRIES + MOST_TRIES_AGAIN;
