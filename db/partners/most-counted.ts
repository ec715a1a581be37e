/** The most rows that the totals and pages of a list are taken over: more would be read for seconds. */
export const MOST_COUNTED = 100_000;

/** The rows of a page that lie within the first `MOST_COUNTED`; 0 for a page beyond them, for which nothing is read. */
export const rowsOfPage = ({ limit, offset }: { limit: number; offset: number }): number =>
  Math.max(0, Math.min(limit, MOST_COUNTED - offset));
