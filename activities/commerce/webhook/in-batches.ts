/** Starts at the same time. */
const AT_ONCE = 10;

type Outcomes = PromiseSettledResult<'started' | 'already started'>[];

/**
 * Works through a batch a few items at a time and counts the started ones. One that cannot be started stops neither the others
 * nor what comes after the batch; where none can be, the first failure is thrown.
 */
export async function inBatches<Item>(
  items: readonly Item[],
  work: (group: Item[]) => Promise<Outcomes>,
): Promise<number> {
  const outcomes: Outcomes = [];
  for (let from = 0; from < items.length; from += AT_ONCE) {
    outcomes.push(...(await work(items.slice(from, from + AT_ONCE))));
  }
  const failure = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failure && outcomes.every(({ status }) => status === 'rejected')) throw failure.reason;
  return outcomes.filter((outcome) => outcome.status === 'fulfilled' && outcome.value === 'started').length;
}
