import { inChunks, type JobWork } from '../../../../activities/administration/job/job-work';
import { runJob } from '../../../../activities/administration/job/run-job';
import { execute, rows } from '../../../../db/sql/query';
import { waiting } from '../../../support/checks/held-locks';
import { ownDatabase } from '../../../support/servers/database';
import { countingChunk, countingWork, makeNumbers, numbers, upTo } from './counting';
import { takeTurn } from './take-turn';

const own = ownDatabase();
beforeAll(() => makeNumbers(own.owner));
beforeEach(() => execute(own.db, 'DELETE FROM numbers'));

const at = '2026-03-01T00:10:02.000Z';

/** One turn of a run, by default until it is done. */
const turn = (work: JobWork, due: string, options: Parameters<typeof takeTurn>[2] = {}) =>
  takeTurn(own.db, work, { at, due, ...options });

const stored = (run: string) =>
  rows(
    own.db,
    'SELECT lane, state, cursor, done, finished_at IS NOT NULL AS is_over FROM job_runs WHERE run = $1 ORDER BY lane',
    [run],
  );

test('the cursor is stored with each chunk, turns end by time, and a run that is done changes nothing', async () => {
  const work = countingWork(3);
  const next = () => turn(work, 'in turns', { turnMs: 0 });
  expect(await next()).toEqual({ isDone: false, done: 1, words: 'Numbers: 1' });
  expect(await stored('in turns')).toEqual([
    { lane: 0, state: 'RUNNING', cursor: { n: 1 }, done: 1, isOver: false },
  ]);
  await next();
  expect(await next()).toEqual({ isDone: true, done: 3, words: 'Numbers: 3' });
  expect(await stored('in turns')).toEqual([{ lane: 0, state: 'DONE', cursor: null, done: 3, isOver: true }]);
  expect(await next()).toEqual({ isDone: true, done: 3, words: 'Numbers: 3' });
  expect(await numbers(own.db)).toEqual([1, 2, 3]);
});

test('a chunk that fails after its writes leaves nothing, and the next try begins with it', async () => {
  let failing = true;
  const work = countingWork(4, (n) => {
    if (n !== 3 || !failing) return Promise.resolve();
    failing = false;
    return Promise.reject(new Error('lost'));
  });
  await expect(turn(work, 'failing')).rejects.toThrow('lost');
  expect(await numbers(own.db)).toEqual([1, 2]);
  expect(await stored('failing')).toMatchObject([{ state: 'RUNNING', cursor: { n: 2 }, done: 2 }]);
  expect(await turn(work, 'failing')).toMatchObject({ isDone: true, done: 4 });
  expect(await numbers(own.db)).toEqual([1, 2, 3, 4]);
});

test('two runs of one time at once do each chunk once, and both are done', async () => {
  const work = countingWork(40);
  const both = await Promise.all([turn(work, 'twice'), turn(work, 'twice')]);
  expect(both).toEqual(both.map(() => ({ isDone: true, done: 40, words: 'Numbers: 40' })));
  expect(await numbers(own.db)).toEqual(upTo(40));
});

test('a run waits for a chunk of another of its time, and does not begin it', async () => {
  let open: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (open = resolve));
  const calls: number[] = [];
  const work = countingWork(3, async (n) => {
    calls.push(n);
    if (n === 2) await gate;
  });
  await turn(work, 'waiting', { turnMs: 0 });
  const both = [turn(work, 'waiting'), turn(work, 'waiting')];
  await waiting(own.db, 1);
  expect(calls).toEqual([1, 2]);
  open();
  await Promise.all(both);
  expect(calls).toEqual([1, 2, 3]);
});

test('another time is another run', async () => {
  await turn(countingWork(2), 'one time');
  await turn(countingWork(2), 'another time');
  expect(await numbers(own.db)).toEqual([1, 1, 2, 2]);
});

test('lanes run at the same time, and one that fails keeps no other', async () => {
  let failing = true;
  const work = inChunks(
    'Numbers',
    countingChunk(1, 2, 6),
    countingChunk(2, 2, 6, (n) => {
      if (n !== 4 || !failing) return Promise.resolve();
      failing = false;
      return Promise.reject(new Error('lost'));
    }),
  );
  await expect(turn(work, 'lanes')).rejects.toThrow('lost');
  expect(await numbers(own.db)).toEqual([1, 2, 3, 5]);
  expect(await turn(work, 'lanes')).toEqual({ isDone: true, done: 6, words: 'Numbers: 6' });
  expect(await numbers(own.db)).toEqual(upTo(6));
});

test('a cancellation ends the run between two chunks: the one under way is committed', async () => {
  const controller = new AbortController();
  const work = countingWork(3, (n) => {
    if (n === 2) controller.abort();
    return Promise.resolve();
  });
  await expect(turn(work, 'cancelled', { signal: controller.signal })).rejects.toThrow();
  expect(await numbers(own.db)).toEqual([1, 2]);
  expect(await turn(work, 'cancelled')).toMatchObject({ isDone: true, done: 3 });
  expect(await numbers(own.db)).toEqual([1, 2, 3]);
});

describe('a job without chunks', () => {
  let calls: unknown[] = [];
  beforeEach(() => (calls = []));
  const whole: JobWork = (run) => {
    calls.push(run);
    return calls.length === 1
      ? Promise.reject(new Error('lost'))
      : Promise.resolve({ done: calls.length, words: `By try ${calls.length}.` });
  };

  test('is begun again when it failed, with the same times, and its result is stored once', async () => {
    const due = '2026-03-01T00:10:00.000Z';
    await expect(turn(whole, due)).rejects.toThrow('lost');
    const result = { isDone: true, done: 2, words: 'By try 2.' };
    expect([await turn(whole, due), await turn(whole, due)]).toEqual([result, result]);
    expect(calls).toEqual([1, 2].map(() => ({ at: new Date(at), due: new Date(due) })));
    expect(await stored(due)).toEqual([{ lane: 0, state: 'DONE', cursor: null, done: 2, isOver: true }]);
  });
});

test('a job of another release is left to a worker that has it', async () => {
  const unknown = runJob(
    { longDb: own.db, works: {} },
    { job: 'unknown', due: 'now', at },
    AbortSignal.abort(),
  );
  await expect(unknown).rejects.toThrow('This release has no job unknown.');
});
