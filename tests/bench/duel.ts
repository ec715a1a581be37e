import { setTimeout as pause } from 'node:timers/promises';
import { cpuMsOf } from './cpu';
import { drive, quantile, type Operation } from './load';

/** Servers by name, with their process ids. */
export type Servers = Readonly<Record<string, number>>;

/** One side of a comparison. */
export interface Contender {
  operation: Operation;
  /** The servers whose CPU is counted. */
  servers: Servers;
}

/** The result of a contender at one number of callers. */
export interface Figures {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Milliseconds of CPU per operation, by server; null where they cannot be read. */
  cpuMs: Record<string, number> | null;
}

/** Length and number of each contender's turns, and the pause between them. */
export interface Pace {
  sliceMs: number;
  turns: number;
  /** The pause in which work after the answers ends, and is counted, before the other's turn. */
  restMs: number;
}

interface Sum {
  latenciesMs: number[];
  elapsedMs: number;
  cpuMs: Record<string, number> | null;
}

/**
 * Drives contenders in turns (A B A B …), so that other work of the machine affects all of them alike. The first
 * turn warms up and is not counted.
 */
export async function duel<Name extends string>(
  contenders: Readonly<Record<Name, Contender>>,
  callers: number,
  { sliceMs, turns, restMs }: Pace,
): Promise<Record<Name, Figures>> {
  const names = Object.keys(contenders) as Name[];
  const sums = new Map<Name, Sum>();
  for (let turn = 0; turn <= turns; turn++) {
    for (const name of names) {
      const taken = await take(contenders[name], callers, turn === 0 ? sliceMs / 2 : sliceMs, restMs);
      if (turn > 0) sums.set(name, added(sums.get(name), taken));
    }
  }
  const figures = names.map((name) => [name, figuresOf(sums.get(name))] as const);
  return Object.fromEntries(figures) as Record<Name, Figures>;
}

async function take(
  { operation, servers }: Contender,
  callers: number,
  sliceMs: number,
  restMs: number,
): Promise<Sum> {
  const before = await cpuOf(servers);
  const driven = await drive(operation, callers, sliceMs);
  await pause(restMs);
  const after = await cpuOf(servers);
  const used = before && after && Object.entries(after).map(([name, ms]) => [name, ms - (before[name] ?? 0)]);
  return { ...driven, cpuMs: used && Object.fromEntries(used) };
}

/** CPU milliseconds used so far, by server. */
export async function cpuOf(servers: Servers): Promise<Record<string, number> | null> {
  const read = await Promise.all(
    Object.entries(servers).map(async ([name, pid]) => [name, await cpuMsOf(pid)] as const),
  );
  const known = read.flatMap(([name, ms]) => (ms === null ? [] : [[name, ms] as const]));
  return known.length === read.length ? Object.fromEntries(known) : null;
}

function added(sum: Sum | undefined, more: Sum): Sum {
  if (!sum) return more;
  const cpu = sum.cpuMs && more.cpuMs && Object.entries(more.cpuMs);
  return {
    latenciesMs: [...sum.latenciesMs, ...more.latenciesMs],
    elapsedMs: sum.elapsedMs + more.elapsedMs,
    cpuMs: cpu && Object.fromEntries(cpu.map(([name, ms]) => [name, ms + (sum.cpuMs?.[name] ?? 0)])),
  };
}

function figuresOf(sum: Sum | undefined): Figures {
  if (!sum) throw new Error('Nothing was measured.');
  const count = sum.latenciesMs.length;
  const cpu = sum.cpuMs && Object.entries(sum.cpuMs);
  return {
    perSecond: (count * 1000) / sum.elapsedMs,
    p50Ms: quantile(sum.latenciesMs, 0.5),
    p99Ms: quantile(sum.latenciesMs, 0.99),
    cpuMs: cpu && Object.fromEntries(cpu.map(([name, ms]) => [name, ms / count])),
  };
}
