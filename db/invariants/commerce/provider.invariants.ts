import type { Invariant } from '../invariant';

/** Rules of providers' reports and calls. The sandbox's own records are in this database too, so they are compared. */
export const providerInvariants: readonly Invariant[] = [
  {
    id: 'webhooks.are-dealt-with',
    says: 'An accepted event is PROCESSED, IGNORED, DEAD or DISCARDED, waits for what it is about, or is shown to an operator.',
    sql: `SELECT id AS entity, format('%s %s of %s, %s since %s%s', type, external_event_id, provider, status, received_at,
        CASE WHEN started_at IS NULL THEN ', never started' ELSE '' END) AS detail
      FROM webhook_events w
      WHERE greatest(received_at, started_at) < (SELECT CASE WHEN status = 'WAITING' THEN overdue_event ELSE overdue END
          FROM clock)
        AND status IN ('RECEIVED', 'WAITING')
        AND NOT EXISTS (SELECT 1 FROM parked_processes
          WHERE type IN ('paymentEvent', 'providerEvent') AND entity_id = w.id::text)`,
  },
  {
    id: 'webhooks.have-their-effect',
    says: 'Money that a processed event reports is recorded, for the payment that the event names.',
    sql: `SELECT w.id AS entity, format('%s of %s reports payment %s', w.external_event_id, w.provider, w.movement) AS detail
      FROM webhook_events w
      WHERE w.kind = 'PAYMENT' AND w.status = 'PROCESSED' AND w.movement IS NOT NULL AND w.outcome = 'PAID' AND NOT EXISTS (
        SELECT 1 FROM payment_captures c
        WHERE c.provider = w.provider AND c.provider_payment_id = w.movement AND c.attempt_id::text = w.subject)`,
  },
  {
    id: 'sandbox.pays-back-once',
    says: 'The sandbox paid back exactly our refunds, each once, and no more of a payment than it brought.',
    sql: `SELECT s.key AS entity, format('the sandbox sent %s %s back for payment %s; our refund is %s', s.amount_minor,
        s.currency, s.payment_id, coalesce(r.amount_minor || ' ' || r.currency, 'none')) AS detail
      FROM (SELECT key, payment_id, amount_minor, currency, split_part(key, ':', 1) AS refund_id,
          substring(key from ':([1-9][0-9]{0,8})$')::integer AS attempt,
          count(*) OVER (PARTITION BY split_part(key, ':', 1)) AS sent FROM sandbox_refunds) AS s
      LEFT JOIN payment_refunds r ON r.id::text = s.refund_id AND s.attempt <= r.sendings
      LEFT JOIN payment_captures c ON c.id = r.capture_id
      WHERE r.id IS NULL OR r.amount_minor <> s.amount_minor OR r.currency <> s.currency
        OR c.provider_payment_id <> s.payment_id OR s.sent > 1
      UNION ALL
      SELECT r.id::text, 'the sandbox never sent it'
      FROM payment_refunds r JOIN payment_captures c ON c.id = r.capture_id
        JOIN sandbox_payments p ON p.id::text = c.provider_payment_id
      WHERE r.status = 'COMPLETED' AND r.settlement_reference IS NULL AND c.provider = 'sandbox' AND NOT EXISTS (
        SELECT 1 FROM sandbox_refunds s WHERE split_part(s.key, ':', 1) = r.id::text)
      UNION ALL
      SELECT p.id::text, format('brought %s, sent back %s', p.amount_minor, sum(s.amount_minor))
      FROM sandbox_payments p JOIN sandbox_refunds s ON s.payment_id = p.id::text
      GROUP BY p.id HAVING sum(s.amount_minor) > p.amount_minor`,
  },
  {
    id: 'bank-files.hold-their-transfers',
    says: 'A file for the bank holds as many transfers, of as much money, as it says.',
    sql: `SELECT f.id AS entity, format('says %s transfers of %s and holds %s of %s', f.transfer_count, f.amount_minor,
        count(t.id), coalesce(sum(t.amount_minor), 0)) AS detail
      FROM bank_files f LEFT JOIN bank_file_transfers t ON t.file_id = f.id
      GROUP BY f.id
      HAVING count(t.id) <> f.transfer_count OR coalesce(sum(t.amount_minor), 0) <> f.amount_minor`,
  },
  {
    id: 'bank-files.send-once',
    says: 'Bank files send, or may send, a payout or a withdrawal once, for its amount, and none that ended otherwise; what they completed has arrived.',
    sql: `SELECT s.id AS entity, format('%s by %s of %s %s, in bank files: %s', s.status, s.provider, s.minor, s.currency,
        coalesce(string_agg(t.status || ' ' || t.amount_minor, ', ' ORDER BY t.id), 'none')) AS detail
      FROM (
        SELECT id, status, provider, amount_minor AS minor, currency FROM payouts
        UNION ALL SELECT id, status, provider, net_minor, currency FROM investment_withdrawals
      ) AS s LEFT JOIN bank_file_transfers t ON t.subject_id = s.id AND t.status <> 'REFUSED'
      WHERE t.id IS NOT NULL OR (s.status = 'COMPLETED' AND s.provider = 'bank-file')
      GROUP BY s.id, s.status, s.provider, s.minor, s.currency
      HAVING count(t.id) <> 1 OR bool_or(t.amount_minor <> s.minor OR t.currency <> s.currency)
        OR NOT (s.status = 'PROCESSING' OR (s.status = 'COMPLETED' AND s.provider = 'bank-file' AND bool_and(t.status = 'ARRIVED')))`,
  },
];
