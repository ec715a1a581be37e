import { randomUUID } from 'node:crypto';
import type { JobWork } from '../../../../activities/administration/job/job-work';
import { runJob } from '../../../../activities/administration/job/run-job';
import type { Db } from '../../../../db/sql/query';
import type { JobTurn } from '../../../../workflows/kit/job/job.contract';

interface Turn {
  /** Names the run; left out: a new one. */
  due?: string;
  /** ISO 8601; by default now. */
  at?: string;
  /** 0: of one chunk. */
  turnMs?: number;
  signal?: AbortSignal;
}

/** One turn of a job with this work; of a whole run, if it ends within a minute. */
export const takeTurn = (
  db: Db,
  work: JobWork,
  {
    due = randomUUID(),
    at = new Date().toISOString(),
    turnMs = 60_000,
    signal = new AbortController().signal,
  }: Turn = {},
): Promise<JobTurn> =>
  runJob({ longDb: db, works: { tested: work }, turnMs }, { job: 'tested', due, at }, signal);
