import type { Client, ScheduleDescription } from '@temporalio/client';
import { schedules } from '../schedules';

/** How one schedule is doing. */
export interface ScheduleFigures {
  id: string;
  /** How long the next run has been overdue; 0 while it is still to come. */
  lagSeconds: number;
  /** How long the run under way has been going, counted from when it was meant to start; 0 without one. */
  runningSeconds: number;
  paused: boolean;
  /** Runs that were given up because the server was away for too long. */
  missed: number;
}

const CALL_MS = 3_000;

/** Asks Temporal about every schedule of the table. Throws when it does not answer, or does not know one. */
export async function scheduleFigures(client: Client): Promise<ScheduleFigures[]> {
  return client.connection.withDeadline(Date.now() + CALL_MS, () =>
    Promise.all(
      schedules.map(async ({ id }) =>
        figuresOf(id, await client.schedule.getHandle(id).describe(), Date.now()),
      ),
    ),
  );
}

/** What a description means at a moment (milliseconds since 1970). */
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
): ScheduleFigures {
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
