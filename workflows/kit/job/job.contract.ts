import type { Duration } from '@temporalio/common';
import { defineProcess, type Area, type ProcessDefinition } from '../process';

/** The times at which a job runs, in UTC; times of the day as HH:MM. A week begins on Monday. */
export type At =
  | { every: '1 minute' | '1 hour' | '6 hours'; offset?: Duration }
  | { daily: string }
  | { weekly: string }
  | { monthly: string };

/** Work that a schedule starts. `activities/jobs.ts` lists each with what it does. */
export interface Job {
  /** Of the schedule and of its processes. */
  readonly id: string;
  readonly area: Area;
  /** One line that says what a run does. */
  readonly says: string;
  readonly at: At;
  /**
   * For a job that does something else at each of its times: after an outage each time of this long has its run, one after the other.
   * Left out: the next run makes up for those that were missed.
   */
  readonly eachTimeOf?: Duration;
}

export interface JobInput {
  /** The job's id. */
  job: string;
  /** Set when a run goes on in a new history. */
  run?: JobRun;
}

/** A run of a job; both times in ISO 8601. */
export interface JobRun {
  /** The time for which the schedule started it, which names it in `job_runs`; of a run that was started by hand, its start. */
  due: string;
  /** Its start, by the clock of Temporal's server. */
  at: string;
}

export interface JobResult {
  /** The rows, or whatever the job counts. */
  done: number;
  /** One line or some, for people. */
  words: string;
}

/** A run of any job. It fails instead of parking: the next run of the schedule makes up for it. */
export const jobProcess = defineProcess<JobInput, JobResult, 'job'>({
  type: 'job',
  queue: 'batch',
  area: 'administration',
  id: ({ job }) => job,
  entityId: ({ job }) => job,
  summary: ({ job }) => job,
  repeatable: true,
});

/** The process of one job, with its area and its words; its input is `{ job: id }`. */
export const processOf = ({ area, says }: Job): ProcessDefinition<JobInput, JobResult> => ({
  ...jobProcess,
  area,
  summary: () => says,
});

/** The state of a run after a turn. */
export interface JobTurn extends JobResult {
  isDone: boolean;
}

export interface JobActivities {
  /** Does the job, or chunks of it for some seconds, behind the last one that was committed. A run that is done changes nothing. */
  runJob: (turn: JobRun & { job: string }) => Promise<JobTurn>;
}
