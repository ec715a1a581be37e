import { inChunks, type Chunk, type JobWork } from '../../../../activities/administration/job/job-work';
import { execute, rows, type Db } from '../../../../db/sql/query';
import type { Job } from '../../../../workflows/kit/job/job.contract';

/** A job of these tests, which is in no list: numbers are written down, one a chunk. */
export const counting: Job = {
  id: 'counting',
  area: 'administration',
  says: 'Numbers',
  at: { daily: '00:00' },
};

/** For the owner of the database: a table that takes any number twice. */
export const makeNumbers = (owner: Db): Promise<number> =>
  execute(owner, 'CREATE TABLE numbers (n int NOT NULL); GRANT ALL ON numbers TO PUBLIC');

export const numbers = async (db: Db): Promise<number[]> =>
  (await rows<{ n: number }>(db, 'SELECT n FROM numbers ORDER BY n')).map(({ n }) => n);

export const upTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1);

/** Writes the numbers up to `last`; `afterWrite` is called in the transaction of each. */
export const countingWork = (
  last: number,
  afterWrite: (n: number) => Promise<void> = () => Promise.resolve(),
): JobWork => inChunks('Numbers', countingChunk(1, 1, last, afterWrite));

/** Writes each `step`th number from `first` on. */
export const countingChunk =
  (
    first: number,
    step: number,
    last: number,
    afterWrite: (n: number) => Promise<void> = () => Promise.resolve(),
  ): Chunk<{ n: number }> =>
  async (tx, { cursor }) => {
    const n = cursor === null ? first : cursor.n + step;
    await execute(tx, 'INSERT INTO numbers VALUES ($1)', [n]);
    await afterWrite(n);
    return { cursor: n + step > last ? null : { n }, done: 1 };
  };
