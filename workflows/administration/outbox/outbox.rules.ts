/** The number of tries after which a message is given up, about five hours after it was due. */
export const MOST_TRIES = 12;

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 3_600_000;
const GROWTH = 4;

/** The wait after a failed try, in milliseconds; null after the last. Tries count from 1. */
export function waitAfterTry(tries: number): number | null {
  if (tries >= MOST_TRIES) return null;
  return Math.min(FIRST_WAIT_MS * GROWTH ** (tries - 1), LONGEST_WAIT_MS);
}
