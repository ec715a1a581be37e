import { readdir, readFile } from 'node:fs/promises';

/** Linux counts CPU time in hundredths of a second on every machine. */
const MS_PER_TICK = 10;

interface Stat {
  pid: number;
  parent: number;
  /** Of the process itself, and of its children that have ended; milliseconds. */
  ownMs: number;
  endedChildrenMs: number;
  residentBytes: number;
}

const PAGE_BYTES = 4096;

/** CPU milliseconds used so far by a process and its children; null without /proc. */
export async function cpuMsOf(pid: number): Promise<number | null> {
  const family = await familyOf(pid);
  return family && family.reduce((sum, stat) => sum + stat.ownMs + stat.endedChildrenMs, 0);
}

/** Bytes of memory of a process and its children; null without /proc. */
export async function residentBytesOf(pid: number): Promise<number | null> {
  const family = await familyOf(pid);
  return family && family.reduce((sum, stat) => sum + stat.residentBytes, 0);
}

/** A process and its children, such as PostgreSQL with its backends. */
async function familyOf(pid: number): Promise<Stat[] | null> {
  const all = await allStats();
  return all && all.filter((stat) => stat.pid === pid || stat.parent === pid);
}

async function allStats(): Promise<Stat[] | null> {
  const entries = await readdir('/proc').catch(() => null);
  if (!entries) return null;
  const stats = await Promise.all(entries.filter((name) => /^\d+$/.test(name)).map(statOf));
  return stats.filter((stat) => stat !== null);
}

/** Null for a process that has just ended. */
async function statOf(pid: string): Promise<Stat | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (text === null) return null;
  // The name in parentheses may contain anything, so the fields are counted after it: state, parent, …
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const number = (index: number): number => Number(fields[index]);
  return {
    pid: Number(pid),
    parent: number(1),
    ownMs: (number(11) + number(12)) * MS_PER_TICK,
    endedChildrenMs: (number(13) + number(14)) * MS_PER_TICK,
    residentBytes: number(21) * PAGE_BYTES,
  };
}
