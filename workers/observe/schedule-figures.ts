import type { Client, ScheduleDescription } from '@temporalio/client';
import { schedules } from '../schedule-table';

/** The figures of one schedule. */
export interface ScheduleFigures {
  id: string;
  /** Time for which the next run is overdue; 0 if it is in the future. */
  lagSeconds: number;
  /** Time since the scheduled start of the current run; 0 if none is running. */
  runningSeconds: number;
  paused: boolean;
  /** Runs that were skipped because the server was unavailable for longer than the catch-up window. */
  missed: number;
  /** Runs that failed within the last 25 hours; those of a daily schedule are seen until the next. */
  failed: number;
}

const CALL_MS = 3_000;
const FAILED_WITHIN_MS = 25 * 3_600_000;

/** Reads the figures of every schedule in the table. Throws if Temporal does not answer, or does not know one. */
export async function scheduleFigures(client: Client): Promise<ScheduleFigures[]> {
  return client.connection.withDeadline(Date.now() + CALL_MS, () =>
    Promise.all(
      schedules.map(async ({ id }) => {
        const description = client.schedule.getHandle(id).describe();
        const [described, failed] = await Promise.all([description, failedRuns(client, id)]);
        return { ...figuresOf(id, described, Date.now()), failed };
      }),
    ),
  );
}

/** The failed runs of one schedule: those of another, which fails each minute, hide none. */
async function failedRuns(client: Client, id: string): Promise<number> {
  const since = new Date(Date.now() - FAILED_WITHIN_MS).toISOString();
  const { count } = await client.workflow.count(
    `TemporalScheduledById = '${id}' AND ExecutionStatus IN ('Failed', 'TimedOut') AND CloseTime > '${since}'`,
  );
  return count;
}

/** The figures in a description at the time `now` (milliseconds since 1970). */
export function figuresOf(
  id: string,
  {
    info,
    state,
  }: Pick<ScheduleDescription, 'state'> & {
    info: Pick<
      ScheduleDescription['info'],
      'nextActionTimes' | 'recentActions' | 'runningActions' | 'numActionsMissedCatchupWindow'
    >;
  },
  now: number,
): Omit<ScheduleFigures, 'failed'> {
  const secondsSince = (moments: Date[]): number =>
    Math.max(0, ...moments.map((moment) => (now - moment.getTime()) / 1_000));
  const running = new Set(info.runningActions.map(({ workflow }) => workflow.workflowId));
  return {
    id,
    lagSeconds: state.paused ? 0 : secondsSince(info.nextActionTimes.slice(0, 1)),
    runningSeconds: secondsSince(
      info.recentActions
        .filter(({ action }) => running.has(action.workflow.workflowId))
        .map(({ scheduledAt }) => scheduledAt),
    ),
    paused: state.paused,
    missed: info.numActionsMissedCatchupWindow,
  };
}
