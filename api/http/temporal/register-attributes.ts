import { setTimeout as pause } from 'node:timers/promises';
import type { Connection } from '@temporalio/client';
import { registerSearchAttributes } from '../../../workflows/kit/search-attributes';

const DEADLINE_MS = 2_000;
const PAUSE_MS = 1_000;

/**
 * Registers the search attributes as soon as Temporal answers, since this release may be the first that has one of them
 * and no worker of it may have started yet. Ends early when the program stops.
 */
export async function registerAttributes(
  connection: Connection,
  namespace: string,
  isStopping: () => boolean,
): Promise<void> {
  while (!isStopping()) {
    try {
      await connection.withDeadline(Date.now() + DEADLINE_MS, () =>
        registerSearchAttributes(connection, namespace),
      );
      return;
    } catch {
      await pause(PAUSE_MS); // Readiness says that Temporal is away.
    }
  }
}
