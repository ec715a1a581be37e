import type { Invariant } from './invariant';

/** What buyers' banks took back and returned: counted, booked, and all of it written down. */
export const chargebackInvariants: readonly Invariant[] = [
  {
    id: 'chargebacks.are-counted',
    says: 'What a capture says was taken back is the sum of its chargebacks that stand, of its order, money and provider.',
    sql: `SELECT c.id AS entity, format('%s of %s taken back, the chargebacks make %s', c.charged_back_minor, c.amount_minor,
        coalesce(sum(b.amount_minor) FILTER (WHERE b.status = 'TAKEN'), 0)) AS detail
      FROM payment_captures c LEFT JOIN chargebacks b ON b.capture_id = c.id
      GROUP BY c.id
      HAVING c.charged_back_minor <> coalesce(sum(b.amount_minor) FILTER (WHERE b.status = 'TAKEN'), 0)
        OR NOT coalesce(bool_and(b.order_id = c.order_id AND b.currency = c.currency AND b.provider = c.provider), true)`,
  },
  {
    id: 'chargebacks.are-booked',
    says: 'A chargeback is in the ledger as lost, and as returned when it was; and nothing else is.',
    sql: `WITH booked AS (
        SELECT replace(t.reference, 'clearing:', '') AS reference, -sum(e.amount_minor) AS minor
        FROM ledger_transfers t JOIN ledger_entries e ON e.transfer_id = t.id
        WHERE e.account = 'losses' AND (t.reference LIKE 'chargeback:%' OR t.reference LIKE 'clearing:chargeback:%')
          AND t.reference NOT LIKE '%:owed'
        GROUP BY 1
      ), due AS (
        SELECT 'chargeback:' || id AS reference, amount_minor AS minor FROM chargebacks
        UNION ALL
        SELECT 'chargeback:' || id || ':return', -amount_minor FROM chargebacks WHERE status = 'RETURNED'
      )
      SELECT coalesce(due.reference, booked.reference) AS entity,
        format('%s is due, %s is booked', coalesce(due.minor, 0), coalesce(booked.minor, 0)) AS detail
      FROM due FULL JOIN booked USING (reference) WHERE due.minor IS DISTINCT FROM booked.minor`,
  },
  {
    id: 'chargebacks.fees-are-booked',
    says: 'What a provider took for a chargeback is in the ledger, less what it returned; and nothing else is.',
    sql: `WITH booked AS (
        SELECT split_part(t.reference, ':', 2) AS id, e.currency, -sum(e.amount_minor) AS minor
        FROM ledger_transfers t JOIN ledger_entries e ON e.transfer_id = t.id
        WHERE e.account = 'provider_fees' AND t.reference LIKE 'chargeback:%' GROUP BY 1, 2
      )
      SELECT coalesce(c.id::text, b.id) AS entity,
        format('%s is due, %s is booked', coalesce(c.fee_minor, 0), coalesce(b.minor, 0)) AS detail
      FROM chargebacks c FULL JOIN booked b ON b.id = c.id::text AND b.currency = c.fee_currency
      WHERE coalesce(c.fee_minor, 0) <> coalesce(b.minor, 0)`,
  },
  {
    id: 'chargebacks.are-heard',
    says: 'A chargeback that a processed event tells of is written down, and returned when an event said so.',
    sql: `SELECT w.id AS entity, format('%s of %s tells of chargeback %s', w.external_event_id, w.provider, w.chargeback) AS detail
      FROM (
        SELECT id, provider, external_event_id,
          type IN ('payment.chargeback_returned', 'charge.dispute.funds_reinstated') AS returned,
          CASE WHEN status = 'PROCESSED' THEN
            coalesce(body::jsonb #>> '{data,chargebackId}', body::jsonb #>> '{data,object,id}') END AS chargeback
        FROM webhook_events
        WHERE type IN ('payment.charged_back', 'payment.chargeback_returned', 'charge.dispute.funds_withdrawn',
          'charge.dispute.funds_reinstated')
      ) AS w
      WHERE w.chargeback IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM chargebacks b
        WHERE b.provider = w.provider AND b.provider_chargeback_id = w.chargeback
          AND (b.status = 'RETURNED' OR NOT w.returned))`,
  },
];
