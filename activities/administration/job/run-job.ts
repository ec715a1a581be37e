import { endJob, jobRun, lockLane, moveLane } from '../../../db/administration/job/job-run.transitions';
import { allowLongBatch } from '../../../db/sql/long-transaction';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type { JobRun, JobTurn } from '../../../workflows/kit/job/job.contract';
import type { Chunk, JobWork, Whole } from './job-work';

export interface RunJobDeps {
  /** A pool for long work. */
  longDb: Db;
  /** The work of each job, by its id. */
  works: Readonly<Record<string, JobWork>>;
  /** The time after which chunks are left to the next turn. */
  turnMs?: number;
}

/** Long enough that histories stay short, short enough that a turn ends soon. */
const TURN_MS = 20_000;

/** One turn of a job. The signal ends it between two chunks. */
export async function runJob(
  { longDb, works, turnMs = TURN_MS }: RunJobDeps,
  { job, due, at }: JobRun & { job: string },
  signal: AbortSignal,
): Promise<JobTurn> {
  const work = works[job];
  // Not final: a worker of another release may get the next try.
  if (work === undefined) throw new Error(`This release has no job ${job}.`);
  const key = { job, run: due };
  if (typeof work === 'function') return doWhole(longDb, key, work, { at, due }, signal);
  const until = Date.now() + turnMs;
  const lanes = await Promise.allSettled(
    work.lanes.map((chunk, lane) =>
      takeChunks(longDb, { ...key, lane }, { chunk, at: new Date(at), until, signal }),
    ),
  );
  const failed = lanes.find((lane) => lane.status === 'rejected');
  if (failed) throw failed.reason;
  const { done } = await jobRun(longDb, key);
  const isDone = lanes.every((lane) => lane.status === 'fulfilled' && lane.value);
  return { isDone, done, words: `${work.counts}: ${done}` };
}

/** Returns true at the end of the lane. Another run of the same time waits for each chunk, and begins behind it. */
async function takeChunks(
  db: Db,
  lane: { job: string; run: string; lane: number },
  { chunk, at, until, signal }: { chunk: Chunk; at: Date; until: number; signal: AbortSignal },
): Promise<boolean> {
  let isDone: boolean;
  do {
    signal.throwIfAborted();
    isDone = await inTransaction(db, async (tx) => {
      await allowLongBatch(tx);
      const { state, cursor } = await lockLane(tx, lane);
      if (state === 'DONE') return true;
      const next = await chunk(tx, { at, cursor });
      await moveLane(tx, lane, next);
      return next.cursor === null;
    });
  } while (!isDone && Date.now() < until);
  return isDone;
}

async function doWhole(
  db: Db,
  key: { job: string; run: string },
  whole: Whole,
  { at, due }: JobRun,
  signal: AbortSignal,
): Promise<JobTurn> {
  const { state } = await inTransaction(db, (tx) => lockLane(tx, { ...key, lane: 0 }));
  if (state === 'RUNNING') {
    const result = await whole({ at: new Date(at), due: new Date(due) }, signal);
    await inTransaction(db, (tx) => endJob(tx, key, result));
  }
  const { done, words } = await jobRun(db, key);
  return { isDone: true, done, words: words ?? '' };
}
