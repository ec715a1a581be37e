import { z } from 'zod';
import type { Driver } from '../activities/providers/driver';
import { lookupQueue, providerQueue, type ProviderQueue } from '../workflows/kit/queues';

type Limited = Pick<Driver<never>, 'code' | 'callsPerSecond' | 'lookUpsPerSecond'>;

/** Calls per second on a queue by all workers together; a queue that is left out has no limit. */
export type CallLimits = Readonly<Partial<Record<ProviderQueue, number>>>;

interface Limit {
  queue: ProviderQueue;
  variable: LimitVariable;
  perSecond: number;
}

type LimitVariable = `${string}_PER_SECOND`;

/** The limits of a driver's queues. */
function limitsOf({ code, callsPerSecond, lookUpsPerSecond }: Limited): Limit[] {
  const name = code.toUpperCase().replaceAll('-', '_');
  const limits = [
    { queue: providerQueue(code), variable: `${name}_CALLS_PER_SECOND`, perSecond: callsPerSecond },
    { queue: lookupQueue(code), variable: `${name}_LOOKUPS_PER_SECOND`, perSecond: lookUpsPerSecond },
  ] as const;
  return limits.flatMap(({ perSecond, ...of }) => (perSecond === null ? [] : [{ ...of, perSecond }]));
}

const perSecond = (fallback: number) => z.coerce.number().min(0.1).max(100_000).default(fallback);

/**
 * The variables of the calls to each driver, and of the look-ups, which no caller waits for, that all workers together begin
 * in a second. Every worker has to have the same values.
 */
export const limitVariables = (
  drivers: readonly Limited[],
): Readonly<Record<LimitVariable, ReturnType<typeof perSecond>>> =>
  Object.fromEntries(drivers.flatMap(limitsOf).map((limit) => [limit.variable, perSecond(limit.perSecond)]));

/** The limits of the drivers' queues. */
export const callLimits = (
  config: Readonly<Record<LimitVariable, number>>,
  drivers: readonly Limited[],
): CallLimits =>
  Object.fromEntries(drivers.flatMap(limitsOf).map(({ queue, variable }) => [queue, config[variable]]));
