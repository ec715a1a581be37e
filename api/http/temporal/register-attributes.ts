import { setTimeout as pause } from 'node:timers/promises';
import type { Connection } from '@temporalio/client';
import type { Logger } from 'pino';
import { registerSearchAttributes } from '../../../workflows/kit/search-attributes';
import { stretched } from '../../../workflows/kit/limits/slowness';

const DEADLINE_MS = 2_000;
const PAUSE_MS = 1_000;
const SILENT_MS = 60_000;

/**
 * Registers the search attributes as soon as Temporal answers, since this release may be the first that has one of them
 * and no worker of it may have started yet; `registering` ends with it. The first failure is logged, and then one a
 * minute. Ends early when the program stops.
 */
export async function registerAttributes(
  connection: Connection,
  namespace: string,
  state: { readonly stopping: boolean; registering: boolean },
  log: Logger,
): Promise<void> {
  let silentUntil = 0;
  while (!state.stopping) {
    try {
      await connection.withDeadline(Date.now() + stretched(DEADLINE_MS), () =>
        registerSearchAttributes(connection, namespace),
      );
      state.registering = false;
      return;
    } catch (error) {
      if (Date.now() >= silentUntil) {
        log.warn({ err: error }, 'the search attributes are not registered with Temporal');
        silentUntil = Date.now() + SILENT_MS;
      }
      await pause(PAUSE_MS);
    }
  }
}
