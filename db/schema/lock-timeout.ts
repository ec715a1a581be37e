import { setTimeout as pause } from 'node:timers/promises';
import { sqlStateOf } from '../sql/errors';

const LOCK_NOT_AVAILABLE = '55P03';
const PAUSE_MS = 1_000;
const LONGEST_MS = 30 * 60_000;

/**
 * Sets the longest wait for a lock of a table in this transaction. Who waits for such a lock makes everybody wait who comes
 * later, readers as well: a long reader, such as a backup, would stop the platform for as long as it reads.
 */
export const SHORT_LOCKS = `SET LOCAL lock_timeout = '2s'`;

/** Repeats work until it gets its locks in time; after half an hour it fails. It has no effect where it does not. */
export async function untilLocked<T>(work: () => Promise<T>): Promise<T> {
  const endsAt = Date.now() + LONGEST_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (sqlStateOf(error) !== LOCK_NOT_AVAILABLE || Date.now() > endsAt) throw error;
    }
    await pause(PAUSE_MS);
  }
}
