import type { Connection } from '@temporalio/client';
import type { Logger } from 'pino';
import { onceServing } from '../../../db/program/temporal/once-serving';
import { registerSearchAttributes } from '../../../db/program/temporal/search-attributes';
import { stretched } from '../../../workflows/kit/limits/slowness';

const DEADLINE_MS = 2_000;

/**
 * Registers the search attributes as soon as Temporal serves, since this release may be the first that has one of them
 * and no worker of it may have started yet; `registering` ends with it. Rejects if Temporal refuses them for good, and
 * when the program stops.
 */
export async function registerAttributes(
  connection: Connection,
  namespace: string,
  { health, signal }: { health: { registering: boolean }; signal: AbortSignal },
  log: Logger,
): Promise<void> {
  const register = () =>
    connection.withDeadline(Date.now() + stretched(DEADLINE_MS), () =>
      registerSearchAttributes(connection, namespace),
    );
  await onceServing(register, { log, signal });
  health.registering = false;
}
