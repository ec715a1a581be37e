/**
 * The condition that a time is not after the millisecond `to`, an SQL expression. Stored times are exact to the
 * microsecond, so that `<=` would leave out most of that millisecond.
 */
export const until = (column: string, to: string): string =>
  `${column} < ${to}::timestamptz + interval '1 ms'`;
