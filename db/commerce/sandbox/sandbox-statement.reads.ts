import type { MovementKind } from '../../../workflows/commerce/reconciliation/reconciliation.rules';
import { rows, type Db } from '../../sql/query';

/** An entry of the sandbox's statement: money that moved there, or a report of a chargeback. */
export type SandboxStatementEntry = {
  occurredAt: Date;
  /** The place in the statement, for the next page. */
  place: string;
} & (
  | {
      kind: Exclude<MovementKind, 'CHARGEBACK' | 'CHARGEBACK_RETURNED'>;
      providerId: string;
      reference: string | null;
      amountMinor: number;
      currency: string;
    }
  /** `body`: of the report, as it was signed. */
  | { kind: 'REPORT'; body: string }
);

/**
 * A fee is taken at the time of its payment. A payment that was refunded leaves it with the sandbox. A transfer that was paid
 * twice is two movements. Chargebacks are in no rows of the sandbox: people send its reports of them, which are what it said.
 */
const STATEMENT = `
  SELECT 'CAPTURE' AS kind, id::text AS provider_id, payment_key::text AS reference, amount_minor, currency,
      created_at AS occurred_at, NULL::text AS body
    FROM sandbox_payments WHERE status = 'PAID'
  UNION ALL SELECT 'FEE', id || ':fee', NULL, fee_minor, currency, created_at, NULL
    FROM sandbox_payments WHERE status = 'PAID' AND fee_minor > 0
  UNION ALL SELECT 'REFUND', id::text, key, amount_minor, currency, created_at, NULL FROM sandbox_refunds
  UNION ALL SELECT 'TRANSFER_OUT', CASE copy WHEN 1 THEN id::text ELSE id || ':' || copy END, key, amount_minor, currency,
      ended_at, NULL
    FROM sandbox_transfers CROSS JOIN LATERAL generate_series(1, copies) AS copy WHERE status = 'ARRIVED'
  UNION ALL SELECT 'REPORT', id::text, NULL, NULL, NULL, received_at, body
    FROM webhook_events WHERE provider = 'sandbox' AND kind = 'PAYMENT' AND body IS NOT NULL
      AND type IN ('payment.charged_back', 'payment.chargeback_returned')`;

/** The entries of a time, in the order of their places, behind a place (null: from the start). */
export const sandboxStatementOf = (
  db: Db,
  { from, to, after, limit }: { from: Date; to: Date; after: string | null; limit: number },
): Promise<SandboxStatementEntry[]> =>
  rows(
    db,
    `SELECT * FROM (${STATEMENT}) AS statement
       CROSS JOIN LATERAL (SELECT to_char(occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US') || ' ' || provider_id
         AS place) AS placed
      WHERE occurred_at >= $1 AND occurred_at < $2 AND ($3::text IS NULL OR place COLLATE "C" > $3)
      ORDER BY place COLLATE "C" LIMIT $4`,
    [from, to, after, limit],
  );
