import { payableColumns } from '../../commerce/payment/payable';
import { isOf } from '../../ledger/reference-columns';
import type { Invariant } from '../invariant';

/** Rules of chargebacks: they are counted, booked and all recorded. */
export const chargebackInvariants: readonly Invariant[] = [
  {
    id: 'chargebacks.are-counted',
    says: 'The amount charged back of a capture is the sum of its chargebacks that are not returned, of its order or participation, currency and provider.',
    sql: `SELECT c.id AS entity, format('%s of %s taken back, the chargebacks make %s', c.charged_back_minor, c.amount_minor,
        coalesce(sum(b.amount_minor) FILTER (WHERE b.status <> 'RETURNED'), 0)) AS detail
      FROM payment_captures c LEFT JOIN chargebacks b ON b.capture_id = c.id
      GROUP BY c.id
      HAVING c.charged_back_minor <> coalesce(sum(b.amount_minor) FILTER (WHERE b.status <> 'RETURNED'), 0)
        OR coalesce(bool_or((${payableColumns('b')}, b.currency, b.provider)
          IS DISTINCT FROM (${payableColumns('c')}, c.currency, c.provider)) FILTER (WHERE b.id IS NOT NULL), false)`,
  },
  {
    id: 'chargebacks.are-booked',
    says: 'A chargeback is in the ledger as a loss, and as its return when it was returned; and nothing else is.',
    sql: `WITH booked AS (
        SELECT t.kind, t.subject_id, -sum(e.amount_minor) AS minor
        FROM ledger_transfers t JOIN ledger_entries e ON e.transfer_id = t.id
        WHERE e.account = 'losses' AND ${isOf('t', 'chargeback', 'chargeback-return')}
        GROUP BY 1, 2
      ), due AS (
        SELECT 'chargeback' AS kind, id::text AS subject_id, amount_minor AS minor FROM chargebacks
        UNION ALL
        SELECT 'chargeback-return', id::text, -amount_minor FROM chargebacks WHERE status = 'RETURNED'
      )
      SELECT concat_ws(':', kind, subject_id) AS entity,
        format('%s is due, %s is booked', coalesce(due.minor, 0), coalesce(booked.minor, 0)) AS detail
      FROM due FULL JOIN booked USING (kind, subject_id) WHERE due.minor IS DISTINCT FROM booked.minor`,
  },
  {
    id: 'chargebacks.fees-are-booked',
    says: 'The fees of a provider for a chargeback are in the ledger, less those it returned; and nothing else is.',
    sql: `WITH booked AS (
        SELECT t.subject_id AS id, e.currency, -sum(e.amount_minor) AS minor
        FROM ledger_transfers t JOIN ledger_entries e ON e.transfer_id = t.id
        WHERE e.account = 'provider_fees' AND ${isOf('t', 'chargeback-fee')} GROUP BY 1, 2
      )
      SELECT coalesce(c.id::text, b.id) AS entity,
        format('%s is due, %s is booked', coalesce(c.fee_minor, 0), coalesce(b.minor, 0)) AS detail
      FROM chargebacks c FULL JOIN booked b ON b.id = c.id::text AND b.currency = c.fee_currency
      WHERE coalesce(c.fee_minor, 0) <> coalesce(b.minor, 0)`,
  },
  {
    id: 'chargebacks.are-heard',
    says: 'A chargeback that a processed event reports is recorded, and lost or returned when an event reported that.',
    sql: `SELECT w.id AS entity, format('%s of %s reports chargeback %s', w.external_event_id, w.provider, w.movement) AS detail
      FROM (
        SELECT id, provider, external_event_id, movement, CASE outcome
            WHEN 'TAKEN' THEN ARRAY['TAKEN', 'LOST', 'RETURNED']
            WHEN 'LOST' THEN ARRAY['LOST', 'RETURNED']
            WHEN 'RETURNED' THEN ARRAY['RETURNED'] END AS states
        FROM webhook_events WHERE kind = 'PAYMENT' AND status = 'PROCESSED' AND movement IS NOT NULL AND outcome <> 'PAID'
      ) AS w
      WHERE NOT EXISTS (
        SELECT 1 FROM chargebacks b
        WHERE b.provider = w.provider AND b.provider_chargeback_id = w.movement
          AND b.status = ANY (w.states))`,
  },
  {
    id: 'chargebacks.pay-refunds-once',
    says: 'Refunds paid by chargebacks are counted, belong to lost chargebacks of their capture, and do not exceed these.',
    sql: `SELECT c.id AS entity, format('%s of %s refunded by chargebacks, the refunds make %s; %s lost of %s',
        c.refunds_charged_back_minor, c.refunded_minor, coalesce(r.minor, 0), coalesce(b.minor, 0), c.amount_minor) AS detail
      FROM payment_captures c LEFT JOIN (
        SELECT p.capture_id, sum(p.amount_minor) AS minor, bool_and(b.capture_id = p.capture_id) AS of_its_capture
        FROM payment_refunds p JOIN chargebacks b ON b.id = p.chargeback_id
        WHERE p.status = 'CHARGED_BACK' GROUP BY p.capture_id
      ) AS r ON r.capture_id = c.id LEFT JOIN (
        SELECT capture_id, sum(amount_minor) AS minor FROM chargebacks WHERE status = 'LOST' GROUP BY capture_id
      ) AS b ON b.capture_id = c.id
      WHERE c.refunds_charged_back_minor <> coalesce(r.minor, 0) OR NOT coalesce(r.of_its_capture, true)
        OR c.refunds_charged_back_minor > greatest(0, c.refunded_minor + coalesce(b.minor, 0) - c.amount_minor)`,
  },
  {
    id: 'chargebacks.end-what-was-given-up',
    says: 'The part of an abandoned refund that a lost chargeback has paid is no longer owed.',
    sql: `SELECT r.id AS entity, format('%s is owed, and %s of capture %s is paid twice', r.amount_minor,
        c.refunded_minor + b.minor - c.amount_minor - c.refunds_charged_back_minor, c.id) AS detail
      FROM payment_refunds r JOIN payment_captures c ON c.id = r.capture_id JOIN (
        SELECT capture_id, sum(amount_minor) AS minor FROM chargebacks WHERE status = 'LOST' GROUP BY capture_id
      ) AS b ON b.capture_id = c.id
      WHERE r.status = 'ABANDONED'
        AND c.refunded_minor + b.minor - c.amount_minor > c.refunds_charged_back_minor`,
  },
];
