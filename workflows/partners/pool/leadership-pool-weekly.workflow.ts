import type { LeadershipPoolResult } from './leadership-pool.contract';
import { startDuePools } from './start-due-pools';

/** One run of the schedule. */
export function leadershipPoolWeekly(): Promise<LeadershipPoolResult> {
  return startDuePools('WEEKLY');
}
