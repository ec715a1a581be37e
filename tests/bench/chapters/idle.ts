import { setTimeout as pause } from 'node:timers/promises';
import { residentBytesOf } from '../cpu';
import { cpuOf } from '../duel';
import type { Findings, Shop } from './chapter';

const MIB = 1024 * 1024;

/** The CPU and memory of the platform without requests. */
export async function idle(
  { stage }: Shop,
  { settleMs, watchMs }: { settleMs: number; watchMs: number },
): Promise<Findings> {
  const { api, worker, temporal, postgres } = stage;
  const servers = { api: api.pid, worker: worker.pid, Temporal: temporal.pid, PostgreSQL: postgres.pid };
  await pause(settleMs);
  const begun = performance.now();
  const before = await cpuOf(servers);
  await pause(watchMs);
  const after = await cpuOf(servers);
  const elapsedMs = performance.now() - begun;
  if (!before || !after) return { rows: [], facts: [] };
  const facts = await Promise.all(
    Object.entries(servers).map(async ([name, pid]) => {
      const share = (100 * ((after[name] ?? 0) - (before[name] ?? 0))) / elapsedMs;
      const mib = ((await residentBytesOf(pid)) ?? 0) / MIB;
      const figure = `idle: ${name}, share of one core and resident memory`;
      return { figure, value: `${share.toFixed(1)} %, ${mib.toFixed(0)} MiB` };
    }),
  );
  return { rows: [], facts };
}
