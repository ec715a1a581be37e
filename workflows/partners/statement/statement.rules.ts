/**
 * The kinds of a movement of what a partner owns, which is both balances and what payouts hold: a commission was EARNED, a refund or
 * a chargeback REVERSED a part, an administrator changed it (ADJUSTED), an order was paid from it (SPENT) or gave that back
 * (RETURNED), a payout arrived (PAID), or was rejected without its money (FORFEITED). A request for a payout, and what
 * returns of one, is no movement.
 */
export const STATEMENT_KINDS = [
  'EARNED',
  'REVERSED',
  'ADJUSTED',
  'SPENT',
  'RETURNED',
  'PAID',
  'FORFEITED',
  'OTHER',
] as const;

export type StatementKind = (typeof STATEMENT_KINDS)[number];

/** The kinds that are earned above zero and reversed below, in statements and in the history of commissions. */
export const COMMISSION_MOVEMENTS = [
  'EARNED',
  'REVERSED',
  'ADJUSTED',
] as const satisfies readonly StatementKind[];

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
