import { execute, firstRow, type Db, type Tx } from '../../sql/query';
import type { JobRun } from './job-run.model';

type RunKey = Pick<JobRun, 'job' | 'run'>;
type LaneKey = RunKey & Pick<JobRun, 'lane'>;

/** Begins a lane of a run, or finds it; locked until the transaction ends. */
export async function lockLane(
  tx: Tx,
  { job, run, lane }: LaneKey,
): Promise<Pick<JobRun, 'state' | 'cursor'>> {
  await execute(
    tx,
    `INSERT INTO job_runs (job, run, lane, state, started_at, updated_at) VALUES ($1, $2, $3, 'RUNNING', now(), now())
     ON CONFLICT (job, run, lane) DO NOTHING`,
    [job, run, lane],
  );
  const found = await firstRow<Pick<JobRun, 'state' | 'cursor'>>(
    tx,
    'SELECT state, cursor FROM job_runs WHERE job = $1 AND run = $2 AND lane = $3 FOR UPDATE',
    [job, run, lane],
  );
  if (!found) throw new Error(`The run ${run} of the job ${job} was deleted.`);
  return found;
}

/** Stores what a chunk did, in its transaction; the lane ends with a cursor of null. */
export const moveLane = (
  tx: Tx,
  { job, run, lane }: LaneKey,
  { cursor, done }: { cursor: unknown; done: number },
): Promise<number> =>
  execute(
    tx,
    `UPDATE job_runs SET cursor = $4::jsonb, done = done + $5, updated_at = now(),
       state = CASE WHEN $4::jsonb IS NULL THEN 'DONE' ELSE 'RUNNING' END,
       finished_at = CASE WHEN $4::jsonb IS NULL THEN now() END
     WHERE job = $1 AND run = $2 AND lane = $3 AND state = 'RUNNING'`,
    [job, run, lane, cursor === null ? null : JSON.stringify(cursor), done],
  );

/** Ends a run without chunks; the result that was stored first stays. */
export const endJob = (
  tx: Tx,
  { job, run }: RunKey,
  { done, words }: { done: number; words: string },
): Promise<number> =>
  execute(
    tx,
    `UPDATE job_runs SET state = 'DONE', done = $3, words = $4, updated_at = now(), finished_at = now()
     WHERE job = $1 AND run = $2 AND state = 'RUNNING'`,
    [job, run, done, words],
  );

/** The number of rows that the lanes of a run did together, and its words. */
export async function jobRun(db: Db, { job, run }: RunKey): Promise<Pick<JobRun, 'done' | 'words'>> {
  const found = await firstRow<Pick<JobRun, 'done' | 'words'>>(
    db,
    'SELECT coalesce(sum(done), 0)::bigint AS done, max(words) AS words FROM job_runs WHERE job = $1 AND run = $2',
    [job, run],
  );
  return found ?? { done: 0, words: null };
}
