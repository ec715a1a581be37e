/**
 * Data with a limited retention. Chosen: ledger, orders, the audit trail, stock movements (stock is their sum) and domain
 * events (commissions are computed from them) are kept for good, and so are the rollups of figures, which hold no personal
 * data and whose number grows with time only. Facts that wait for them go with the next rollup.
 */
export type RetentionKind =
  | 'idempotencyKeys'
  | 'sessions'
  | 'signInCodes'
  | 'carts'
  | 'catalogueChanges'
  /** Registrations and password resets that were never completed. */
  | 'accountRequests'
  | 'touches'
  | 'linkClicks'
  | 'requestNotes'
  | 'outboxMessages'
  | 'payoutDetails'
  | 'webhookBodies'
  /** Movements of our account with payment providers, as these named them. */
  | 'providerMovements'
  | 'sandboxRows'
  /** What runs of jobs have done. */
  | 'jobRuns';

/** The expired rows of one table. */
export interface RetentionRule {
  kind: RetentionKind;
  table: string;
  /** The condition of an expired row, with `before` as `$1`. */
  expired: string;
  before: Date;
  /** Assignments that delete the expired part of a row; without them, the row is deleted. */
  forget?: string;
}
