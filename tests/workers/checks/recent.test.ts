import { recent } from '../../../workers/checks/recent';

const never = new Promise<never>(() => undefined);

it('reads once while the value is fresh, for all callers', async () => {
  const read = jest.fn(async () => 7);
  const seven = recent(read, { freshMs: 60_000, patienceMs: 60_000 });
  expect(await Promise.all([seven(), seven()])).toEqual([7, 7]);
  expect(await seven()).toBe(7);
  expect(read).toHaveBeenCalledTimes(1);
});

it('reads again when it is no longer fresh', async () => {
  let reads = 0;
  const counted = recent(async () => ++reads, { freshMs: 0, patienceMs: 60_000 });
  await counted();
  await counted();
  expect(reads).toBe(2);
});

it('answers null after a failure, and tries again', async () => {
  const read = jest.fn().mockRejectedValueOnce(new Error('away')).mockResolvedValueOnce(7);
  const seven = recent<number>(read, { freshMs: 60_000, patienceMs: 60_000 });
  expect(await seven()).toBeNull();
  expect(await seven()).toBe(7);
});

it('lets no caller wait longer than its patience, and reads a silent source only once', async () => {
  const read = jest.fn(() => never);
  const silence = recent(read, { freshMs: 60_000, patienceMs: 1 });
  expect(await silence()).toBeNull();
  expect(await silence()).toBeNull();
  expect(read).toHaveBeenCalledTimes(1);
});
