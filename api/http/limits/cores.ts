import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { posix } from 'node:path';

const CGROUPS = '/sys/fs/cgroup';

/**
 * How many cores this process may use: those of the machine, or the CPU quota of its control group (version 2, as
 * containers have it) where that is less. `availableParallelism` knows nothing of quotas.
 */
export function cores(read: (file: string) => string = readText, machine = availableParallelism()): number {
  const own = /^0::(\/.*)$/m.exec(attempt(() => read('/proc/self/cgroup')) ?? '')?.[1];
  if (own === undefined) return machine;
  return Math.min(machine, ...lineage(own).map((group) => quota(attempt(() => read(fileOf(group))))));
}

/** Heavy work that a process does side by side: one core stays free for everything else. */
export const heavySlots = (available = cores()): number => Math.max(1, Math.floor(available) - 1);

const fileOf = (group: string): string => posix.join(CGROUPS, group, 'cpu.max');

/** The group and all above it, each of which may have a quota. */
function lineage(group: string): string[] {
  return group === '/' ? ['/'] : [group, ...lineage(posix.dirname(group))];
}

/** `150000 100000` is one core and a half; `max 100000`, and no file, are no quota. */
function quota(text: string | null): number {
  const [, micros, period] = /^(\d+) (\d+)/.exec(text ?? '') ?? [];
  return micros === undefined || period === undefined ? Infinity : Number(micros) / Number(period);
}

const readText = (file: string): string => readFileSync(file, 'utf8');

function attempt<T>(act: () => T): T | null {
  try {
    return act();
  } catch {
    return null;
  }
}
