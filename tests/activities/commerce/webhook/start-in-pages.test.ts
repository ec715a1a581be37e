import { startInPages } from '../../../../activities/commerce/webhook/start-in-pages';

/** The rows 1 to `count`, read by their position. */
const listOf = (count: number) => (page: { after: number | null; limit: number }) =>
  Promise.resolve(
    Array.from({ length: count }, (_, n) => n + 1)
      .filter((row) => row > (page.after ?? 0))
      .slice(0, page.limit),
  );
const goesOn = new AbortController().signal;

test.each([0, 199, 200, 201, 600])('of %i rows the process of each is started once', async (count) => {
  const begun: number[] = [];
  const start = (row: number) => {
    begun.push(row);
    return Promise.resolve('started' as const);
  };
  expect(await startInPages({ read: listOf(count), start }, goesOn)).toBe(count);
  expect(begun).toHaveLength(count);
  expect(new Set(begun).size).toBe(count);
});

test('those that have a process are not counted', async () => {
  const start = (row: number) =>
    Promise.resolve(row % 2 === 0 ? ('started' as const) : ('already started' as const));
  expect(await startInPages({ read: listOf(500), start }, goesOn)).toBe(250);
});

test('rows that cannot be started do not hinder those of later pages; a page of which none can be ends it', async () => {
  const begun: number[] = [];
  const start = (failing: (row: number) => boolean) => (row: number) => {
    if (failing(row)) return Promise.reject(new Error(`${row} is refused.`));
    begun.push(row);
    return Promise.resolve('started' as const);
  };
  const read = listOf(450);
  expect(await startInPages({ read, start: start((row) => row === 7 || row === 207) }, goesOn)).toBe(448);
  begun.splice(0);
  await expect(startInPages({ read, start: start((row) => row > 200) }, goesOn)).rejects.toThrow(
    '201 is refused',
  );
  expect(begun).toHaveLength(200);
});

test('aborted, it ends before the next page', async () => {
  const aborting = new AbortController();
  const begun: number[] = [];
  const start = (row: number) => {
    begun.push(row);
    if (row === 150) aborting.abort();
    return Promise.resolve('started' as const);
  };
  await expect(startInPages({ read: listOf(500), start }, aborting.signal)).rejects.toThrow('aborted');
  expect(begun).toHaveLength(200);
});
