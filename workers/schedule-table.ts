import { ScheduleOverlapPolicy, type ScheduleSpec } from '@temporalio/client';
import type { Duration } from '@temporalio/common';
import { jobs } from '../activities/jobs';
import { webhookSweepProcess } from '../workflows/commerce/webhook/webhook-sweep.contract';
import { partnerSweepProcess } from '../workflows/partners/sweep/partner-sweep.contract';
import { processOf, type At, type Job, type JobInput } from '../workflows/kit/job/job.contract';
import { startOptions, type ProcessDefinition } from '../workflows/kit/process';

/** The start of a process by a schedule. */
const actionOf = <Input>(process: ProcessDefinition<Input>, input: Input) => ({
  ...startOptions(process, input),
  type: 'startWorkflow' as const,
  workflowType: process.type,
});

/** One row of the table of schedules. */
export interface Scheduled {
  id: string;
  action: ReturnType<typeof actionOf<Record<string, never> | JobInput>>;
  spec: ScheduleSpec;
  /** SKIP if the next run makes up for a missed one; BUFFER_ALL if every period must have its run. */
  overlap: ScheduleOverlapPolicy;
  /** The time for which missed runs are made up after an outage. */
  catchupWindow: Duration;
}

const scheduleOf = (job: Job): Scheduled => ({
  id: job.id,
  action: actionOf(processOf(job), { job: job.id }),
  spec: specOf(job.at),
  overlap: job.eachTimeOf === undefined ? ScheduleOverlapPolicy.SKIP : ScheduleOverlapPolicy.BUFFER_ALL,
  catchupWindow: job.eachTimeOf ?? intervalOf(job.at),
});

function specOf(at: At): ScheduleSpec {
  if ('every' in at) return { intervals: [at] };
  if ('daily' in at) return { calendars: [timeOf(at.daily)] };
  if ('weekly' in at) return { calendars: [{ ...timeOf(at.weekly), dayOfWeek: 'MONDAY' }] };
  return { calendars: [{ ...timeOf(at.monthly), dayOfMonth: 1 }] };
}

function timeOf(time: string): { hour: number; minute: number } {
  const [hour, minute] = time.split(':').map(Number);
  return { hour: hour ?? NaN, minute: minute ?? NaN };
}

/** The time between two runs, in which a missed one is made up for: by the next one after it. */
function intervalOf(at: At): Duration {
  if ('every' in at) return at.every;
  if ('daily' in at) return '1 day';
  return 'weekly' in at ? '7 days' : '28 days';
}

/** The schedules, in UTC. Workers bring Temporal in line with this table when they start. */
export const schedules: readonly Scheduled[] = [
  {
    id: 'webhook-sweep',
    action: actionOf(webhookSweepProcess, {}),
    spec: { intervals: [{ every: '1 minute' }] },
    overlap: ScheduleOverlapPolicy.SKIP,
    catchupWindow: '1 minute',
  },
  {
    id: 'partner-sweep',
    action: actionOf(partnerSweepProcess, {}),
    spec: { intervals: [{ every: '1 minute', offset: '30 seconds' }] },
    overlap: ScheduleOverlapPolicy.SKIP,
    catchupWindow: '1 minute',
  },
  ...jobs.map(scheduleOf),
];
