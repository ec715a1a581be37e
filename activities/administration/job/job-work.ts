import type { Tx } from '../../../db/sql/query';

/** The times of a run. */
export interface RunTimes {
  /** Its start, by the clock of Temporal's server. */
  at: Date;
  /** The time for which the schedule started it, also in a backfill; of a run that was started by hand, its start. */
  due: Date;
}

/**
 * A part of a job, in the transaction that also stores `cursor`: some seconds of work behind the cursor of the last part, null at the
 * beginning. Returns the next cursor, null at the end, and the number of rows that were done. The cursor is an immutable key;
 * since rows change meanwhile, each part repeats its condition where it changes them.
 */
export type Chunk<Cursor = unknown> = (
  tx: Tx,
  run: { at: Date; cursor: Cursor | null },
) => Promise<{ cursor: Cursor | null; done: number }>;

/**
 * A job that brings its own transactions and may be done again from its beginning, by two workers at once too. It ends as cancelled when
 * the signal is aborted.
 */
export type Whole = (run: RunTimes, signal: AbortSignal) => Promise<{ done: number; words: string }>;

export type JobWork =
  | {
      /** The words for what is counted. */
      counts: string;
      /** Disjoint parts of the rows, done by one worker at the same time, each with a cursor of its own. */
      lanes: readonly Chunk[];
    }
  | Whole;

/** A job that is done chunk by chunk. `counts`: the words for what is counted. */
export const inChunks = <Cursor>(counts: string, ...lanes: readonly Chunk<Cursor>[]): JobWork => ({
  counts,
  lanes: lanes as readonly Chunk[],
});

/** The words of a sweep that started so many processes. */
export const wordsOfStarted = (started: number): string =>
  started === 0 ? 'Nothing had been forgotten.' : `Started ${started} that had been forgotten.`;
