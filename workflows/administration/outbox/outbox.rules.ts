/** After so many tries a message is given up: some five hours after it was due. */
export const MOST_TRIES = 12;

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 3_600_000;
const GROWTH = 4;

/** How long to wait after a try failed, in milliseconds; null when it was the last. Tries count from 1. */
export function waitAfterTry(tries: number): number | null {
  if (tries >= MOST_TRIES) return null;
  return Math.min(FIRST_WAIT_MS * GROWTH ** (tries - 1), LONGEST_WAIT_MS);
}
