/**
 * The kinds of facts that are counted, each at its own time, which never changes. The database spells them in the view
 * `analytics_facts`.
 */
export const FIGURES = [
  'sale',
  'sale.discount',
  'sale.shipping',
  'sale.tax',
  'sale.customer',
  'category.sale',
  'refund',
  'refund.shipping',
  'refund.tax',
  'method.refund',
  'category.refund',
  'investment.deposit',
  'investment.profit',
  'investment.withdrawal',
  'investment.penalty',
  'strategy.deposit',
  'strategy.profit',
  'strategy.withdrawal',
  'strategy.penalty',
  'strategy.ended',
  'participation.ended',
  'partner.joined',
  'partner.active',
  'commission.earned',
  'commission.reversed',
  'commission.paid',
  'rank.commission.earned',
  'rank.commission.reversed',
  'rank.commission.paid',
  'payout.requested',
  'payout.completed',
  'payout.rejected',
  'payout.cancelled',
  'status.payout',
  'kyc.submitted',
  'kyc.approved',
  'kyc.rejected',
  'reason.kyc.rejected',
] as const;

export type Figure = (typeof FIGURES)[number];

/**
 * The first words of figures that are only divided by something else than time, of which there may be much: they are summed over a
 * whole range. An array of PostgreSQL, to compare `split_part(figure, '.', 1)` with: of a regular expression the planner would think
 * that it excludes almost all rows.
 */
export const OF_RANGES = '{category,method,rank,reason,status,strategy}';

/**
 * The spans of rollups, in minutes: a quarter of an hour; a day, one beginning with every quarter of an hour, so that a day of any
 * time zone is one of them; and thirty days. Figures that are summed over whole ranges have days in UTC only. Every time
 * zone since 1972 is a whole number of quarter hours off UTC.
 */
export const QUARTER_MINUTES = 15;
export const DAY_MINUTES = 1_440;
export const THIRTY_DAYS_MINUTES = 43_200;

export type SpanMinutes = typeof QUARTER_MINUTES | typeof DAY_MINUTES | typeof THIRTY_DAYS_MINUTES;
