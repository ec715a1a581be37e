import { inBatches } from './in-batches';

const PAGE = 200;

/** One page of rows, in the order of their position, behind the last row of the page before; null: the first page. */
type ReadPage<Row> = (page: { after: Row | null; limit: number }) => Promise<Row[]>;

/** A list of rows whose processes may have been lost. */
interface Forgotten<Row> {
  read: ReadPage<Row>;
  /** Starts the process of a row, or leaves the one that it has. */
  start: (row: Row) => Promise<'started' | 'already started'>;
}

/**
 * Starts the processes of all rows of a list, one page of it after another, as `inBatches` does; returns the number of those that were
 * started. It ends between two pages when the signal is aborted.
 */
export async function startInPages<Row>(
  { read, start }: Forgotten<Row>,
  signal: AbortSignal,
): Promise<number> {
  let started = 0;
  for (let after: Row | null = null; ;) {
    signal.throwIfAborted();
    const page: Row[] = await read({ after, limit: PAGE });
    started += await inBatches(page, (group) => Promise.allSettled(group.map(start)));
    if (page.length < PAGE) return started;
    after = page.at(-1) ?? null;
  }
}
