import { NEEDS_TRANSFER } from '../../../commerce/refund/payment-refund.reads';
import { BY_HAND } from '../../../../workflows/commerce/payout/transfer-out.rules';
import { RESENDABLE } from '../../outbox/dead-message.reads';
import { rows, type Db } from '../../../sql/query';

/** The kinds of work that may wait for a person. */
export const WAITING_KINDS = [
  'PARKED_PROCESSES',
  'DEAD_REPORTS',
  'WAITING_REPORTS',
  'PROVIDER_DIFFERENCES',
  'INVESTMENT_DIFFERENCES',
  'DEAD_MESSAGES',
  'WAITING_EVENTS',
  'PARKED_EVENTS',
  'OWED_REFUNDS',
  'PAYOUTS_BY_HAND',
  'WALLET_WITHDRAWALS_BY_HAND',
  'WITHDRAWALS_BY_HAND',
  'COLLECTED_TRANSFERS',
] as const;

export type WaitingKind = (typeof WAITING_KINDS)[number];

/** Counts what waits of a kind, `MOST_COUNTED` at most; `since`: from when on the longest of those has waited. */
export interface WaitingWork {
  kind: WaitingKind;
  count: number;
  since: Date | null;
}

/** Bounds what is read of each kind. */
export const MOST_COUNTED = 1_000;

/** SQL for the times since which the rows of each kind wait; each is read by an index of the rows that wait, and no others. */
const SINCE: Record<WaitingKind, string> = {
  PARKED_PROCESSES: `SELECT since FROM parked_processes WHERE state = 'PARKED' ORDER BY since`,
  DEAD_REPORTS: `SELECT received_at FROM webhook_events WHERE status = 'DEAD'`,
  WAITING_REPORTS: `SELECT received_at FROM webhook_events WHERE status = 'WAITING'`,
  PROVIDER_DIFFERENCES: 'SELECT found_at FROM reconciliation_differences WHERE resolved_at IS NULL',
  INVESTMENT_DIFFERENCES:
    'SELECT found_at FROM investment_differences WHERE resolved_at IS NULL AND accepted_at IS NULL',
  DEAD_MESSAGES: `SELECT dead_at FROM outbox_messages WHERE ${RESENDABLE}`,
  WAITING_EVENTS: `SELECT e.occurred_at FROM event_deliveries d JOIN domain_events e USING (position)
    WHERE d.state = 'DUE' ORDER BY d.position`,
  PARKED_EVENTS: `SELECT state_since FROM event_deliveries WHERE state = 'PARKED'`,
  OWED_REFUNDS: ['ABANDONED', 'PROCESSING']
    .map(
      (status) => `SELECT r.created_at FROM payment_refunds r JOIN payment_captures c ON c.id = r.capture_id
        WHERE r.status = '${status}' AND ${NEEDS_TRANSFER}`,
    )
    .join(' UNION ALL '),
  PAYOUTS_BY_HAND: `SELECT processed_at FROM payouts WHERE status = 'PROCESSING' AND provider = '${BY_HAND}'
    AND kind = 'PARTNER' ORDER BY processed_at`,
  WALLET_WITHDRAWALS_BY_HAND: `SELECT processed_at FROM payouts WHERE status = 'PROCESSING' AND provider = '${BY_HAND}'
    AND kind = 'WALLET' ORDER BY processed_at`,
  WITHDRAWALS_BY_HAND: `SELECT created_at FROM investment_withdrawals
    WHERE status = 'PROCESSING' AND provider = '${BY_HAND}'`,
  COLLECTED_TRANSFERS: `SELECT created_at FROM bank_file_transfers WHERE status = 'COLLECTED'`,
};

const ALL = WAITING_KINDS.map(
  (kind) => `SELECT '${kind}' AS kind, count(*)::int AS count, min(since) AS since
    FROM (SELECT since FROM (${SINCE[kind]}) AS waiting (since) LIMIT ${MOST_COUNTED}) AS counted`,
).join(' UNION ALL ');

/** Counts the work of every kind that waits for a person, in one statement. */
export const waitingWork = (db: Db): Promise<WaitingWork[]> => rows(db, ALL);
