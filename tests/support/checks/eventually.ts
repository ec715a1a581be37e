import { setTimeout as pause } from 'node:timers/promises';
import { EVENTUALLY_MS } from '../patience.cjs';

const EVERY_MS = 50;

/**
 * Repeats `check` until it passes, for what happens in the background: a process proceeds, a list catches up. Rejects
 * with the last failure of `check`. Do not wait for timers with it; use the skipping world.
 */
export async function eventually<T>(
  check: () => T | Promise<T>,
  { withinMs = EVENTUALLY_MS } = {},
): Promise<T> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await pause(EVERY_MS);
    }
  }
}
