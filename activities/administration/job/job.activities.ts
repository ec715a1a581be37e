import type { JobActivities } from '../../../workflows/kit/job/job.contract';
import { withHeartbeat } from '../../heartbeat';
import { runJob, type RunJobDeps } from './run-job';

/** The one activity of all jobs. */
export const jobActivities = (deps: RunJobDeps): JobActivities => ({
  runJob: (turn) => withHeartbeat((signal) => runJob(deps, turn, signal)),
});
