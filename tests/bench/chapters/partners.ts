import { readFileSync } from 'node:fs';
import { commissionMaturationProcess } from '../../../workflows/partners/maturation/commission-maturation.contract';
import { poolPeriodAt, poolPeriodBefore } from '../../../workflows/partners/pool/pool-period.rules';
import { poolProcess } from '../../../workflows/partners/pool/pool.contract';
import { startOptions, type ProcessDefinition } from '../../../workflows/kit/process';
import type { Fact } from '../row';
import { addNetwork, type NetworkSize } from '../setting/partner-network';
import type { Stage } from '../setting/stage';
import type { Findings, Shop } from './chapter';
import { answersOfPartners } from './partner-answers';

const MIB = 1024;

/** The most memory that a process has had, in MiB, and what it has now. */
function memoryOf(pid: number): { peak: number; now: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const of = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]) / MIB;
  return { peak: of('VmHWM'), now: of('VmRSS') };
}

/** Runs a process to its end; answers its result and the seconds that it took. */
async function timed<Input, Result>(
  { temporal }: Stage,
  process: ProcessDefinition<Input, Result>,
  input: Input,
): Promise<{ result: unknown; seconds: number }> {
  const from = performance.now();
  const handle = await temporal.client.workflow.start(process.type, startOptions(process, input));
  const result: unknown = await handle.result();
  return { result, seconds: (performance.now() - from) / 1_000 };
}

/** The partner programme over a network of a size: what partners ask, the commissions of a sale, and the jobs. */
export async function partners(shop: Shop, size: NetworkSize): Promise<Findings> {
  const { stage } = shop;
  await addNetwork(stage.postgres.sql, size);
  const answers = await answersOfPartners(shop, size.partners);
  const jobs = await jobsOfPartners(stage, size);
  return { rows: [], facts: [...answers, ...jobs] };
}

async function jobsOfPartners(stage: Stage, size: NetworkSize): Promise<Fact[]> {
  const extent = `${size.partners} partners, ${size.sales} sales`;
  const before = memoryOf(stage.worker.pid);
  const matured = await timed(stage, commissionMaturationProcess, {});
  const after = memoryOf(stage.worker.pid);
  const { kind, period } = poolPeriodBefore(poolPeriodAt('MONTHLY', new Date()));
  const paid = await timed(stage, poolProcess, { kind, period });
  const { rows } = await stage.postgres.sql.query<{ shares: number }>(
    `SELECT count(*) FILTER (WHERE paid_at IS NOT NULL)::int AS shares FROM pool_shares`,
  );
  return [
    {
      figure: `maturation of ${size.commissions} commissions, s`,
      value: `${matured.seconds.toFixed(1)} (${JSON.stringify(matured.result)})`,
      target: '< 300 of a million',
    },
    {
      figure: 'memory of the worker before and at the peak of maturation, MiB',
      value: `${before.now.toFixed(0)} / ${after.peak.toFixed(0)}`,
      target: 'flat',
    },
    {
      figure: `leadership pool of a month, ${extent}, ${rows[0]?.shares ?? 0} shares paid, s`,
      value: paid.seconds.toFixed(1),
      target: '< 300 of a million and ten million',
    },
  ];
}
