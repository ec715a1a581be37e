/**
 * Data with a limited retention. Chosen: ledger, orders, the audit trail, stock movements (stock is their sum) and domain
 * events (commissions are computed from them) are kept for good, and so are the rollups of figures, which hold no personal
 * data and whose number grows with time only. Facts that wait for them go with the next rollup.
 */
export type RetentionKind =
  | 'idempotencyKeys'
  | 'sessions'
  /** Sent codes, unfinished sign-ins, and second factors that were never verified. */
  | 'signInCodes'
  | 'carts'
  | 'catalogueChanges'
  /** Registrations and password resets that were never completed. */
  | 'accountRequests'
  /** Addresses and browsers of referred visitors; the referrals stay. */
  | 'touches'
  | 'linkClicks'
  /** Texts and addresses of requests that were carried out or refused. */
  | 'requestNotes'
  /** Messages sent or given up. */
  | 'outboxMessages'
  | 'payoutDetails'
  /** Bodies of providers' reports; their hashes and ids stay. */
  | 'webhookBodies'
  /** Movements of our account with payment providers, as these named them. */
  | 'providerMovements'
  /** Rows of the sandbox provider about settled payments. */
  | 'sandboxRows'
  /** Runs of jobs. */
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
