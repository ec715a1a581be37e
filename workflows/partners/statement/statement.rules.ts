/**
 * The kinds of a movement of a partner's balances: a commission was EARNED, a refund or a chargeback REVERSED a part, an
 * administrator changed it (ADJUSTED), an order was paid from it (SPENT) or gave that back (RETURNED), and payouts (PAID).
 */
export const STATEMENT_KINDS = [
  'EARNED',
  'REVERSED',
  'ADJUSTED',
  'SPENT',
  'RETURNED',
  'PAID',
  'OTHER',
] as const;

export type StatementKind = (typeof STATEMENT_KINDS)[number];

/** A month in UTC, with its first moment and that of the next. */
export interface Month {
  period: string;
  from: Date;
  to: Date;
}

/** The month of `2026-11`. */
export function monthOf(period: string): Month {
  const [year = 0, month = 1] = period.split('-').map(Number);
  return { period, from: new Date(Date.UTC(year, month - 1)), to: new Date(Date.UTC(year, month)) };
}
