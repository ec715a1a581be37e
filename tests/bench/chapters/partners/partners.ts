import { readFileSync, writeFileSync } from 'node:fs';
import { processOf } from '../../../../workflows/kit/job/job.contract';
import { commissionMaturation } from '../../../../workflows/partners/maturation/commission-maturation.job';
import { poolPeriodAt, poolPeriodBefore } from '../../../../workflows/partners/pool/pool-period.rules';
import { poolProcess } from '../../../../workflows/partners/pool/pool.contract';
import { startOptions, type ProcessDefinition } from '../../../../workflows/kit/process';
import type { Fact } from '../../row';
import { addNetwork, type NetworkSize } from '../../setting/partner-network';
import type { Stage } from '../../setting/stage';
import type { Findings, Shop } from '../chapter';
import { answersOfPartners } from './answers';
import { plansOfPartners } from './plans';

const MIB = 1024;

/** The most memory that a process has had, in MiB, and what it has now. */
function memoryOf(pid: number): { peak: number; now: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const of = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]) / MIB;
  return { peak: of('VmHWM'), now: of('VmRSS') };
}

interface Job {
  result: unknown;
  seconds: number;
  /** Of the worker, before and at the peak, MiB. */
  memory: string;
}

/** Runs a process to its end, from a fresh peak of the worker's memory on. */
async function timed<Input, Result>(
  { temporal, worker }: Stage,
  process: ProcessDefinition<Input, Result>,
  input: Input,
): Promise<Job> {
  // The peak begins anew (proc(5)).
  writeFileSync(`/proc/${worker.pid}/clear_refs`, '5');
  const before = memoryOf(worker.pid);
  const from = performance.now();
  const handle = await temporal.client.workflow.start(process.type, startOptions(process, input));
  const result: unknown = await handle.result();
  const seconds = (performance.now() - from) / 1_000;
  const memory = `${before.now.toFixed(0)} / ${memoryOf(worker.pid).peak.toFixed(0)}`;
  return { result, seconds, memory };
}

/** The partner programme over a network of a size: what partners ask, the commissions of a sale, and the jobs. */
export async function partners(shop: Shop, size: NetworkSize): Promise<Findings> {
  const { stage } = shop;
  await addNetwork(stage.postgres.sql, size);
  const answers = await answersOfPartners(shop, size.partners);
  const plans = await plansOfPartners(stage, size.partners);
  const jobs = await jobsOfPartners(stage, size);
  return { rows: [], facts: [...answers, ...plans, ...jobs] };
}

async function jobsOfPartners(stage: Stage, size: NetworkSize): Promise<Fact[]> {
  const extent = `${size.partners} partners, ${size.sales} sales`;
  const matured = await timed(stage, processOf(commissionMaturation), { job: commissionMaturation.id });
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
      value: matured.memory,
      target: 'flat',
    },
    {
      figure: `leadership pool of a month, ${extent}, ${rows[0]?.shares ?? 0} shares paid, s`,
      value: paid.seconds.toFixed(1),
      target: '< 300 of a million and ten million',
    },
    {
      figure: 'memory of the worker before and at the peak of the pool, MiB',
      value: paid.memory,
      target: 'flat',
    },
  ];
}
