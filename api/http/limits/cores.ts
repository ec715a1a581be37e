import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { posix } from 'node:path';

const CGROUPS = '/sys/fs/cgroup';

/**
 * The number of cores that this process may use: those of the machine, or less if its control group (version 2, as in
 * containers) has a lower CPU quota, which `availableParallelism` ignores.
 */
export function cores(read: (file: string) => string = readText, machine = availableParallelism()): number {
  const own = /^0::(\/.*)$/m.exec(attempt(() => read('/proc/self/cgroup')) ?? '')?.[1];
  if (own === undefined) return machine;
  return Math.min(machine, ...lineage(own).map((group) => quota(attempt(() => read(fileOf(group))))));
}

/** The number of heavy jobs at the same time: one core stays free for everything else. */
export const heavySlots = (available = cores()): number => Math.max(1, Math.floor(available) - 1);

const fileOf = (group: string): string => posix.join(CGROUPS, group, 'cpu.max');

/** The group and its ancestors, each of which may have a quota. */
function lineage(group: string): string[] {
  return group === '/' ? ['/'] : [group, ...lineage(posix.dirname(group))];
}

/** The quota in cores: `150000 100000` is 1.5; `max 100000` or no file is no quota. */
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
