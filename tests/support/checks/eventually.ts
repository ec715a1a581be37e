import { setTimeout as pause } from 'node:timers/promises';

const EVERY_MS = 50;

/**
 * Asks again until `check` holds, for what happens on its own time: a process goes on, a list catches up. It fails
 * with the last failure of `check`. Time itself is never waited for; the skipping world is for that.
 */
export async function eventually<T>(check: () => T | Promise<T>, { withinMs = 20_000 } = {}): Promise<T> {
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
