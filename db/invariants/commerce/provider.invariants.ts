import type { Invariant } from '../invariant';

/** Rules of providers' reports and calls. The sandbox's own records are in this database too, so they are compared. */
export const providerInvariants: readonly Invariant[] = [
  {
    // An event may wait three days for its payment to be recorded.
    id: 'webhooks.are-dealt-with',
    says: 'An accepted event is PROCESSED, IGNORED, DEAD, waits for its payment, or is shown to an operator.',
    sql: `SELECT id AS entity, format('%s %s of %s, %s since %s%s', type, external_event_id, provider, status, received_at,
        CASE WHEN started_at IS NULL THEN ', never started' ELSE '' END) AS detail
      FROM webhook_events w
      WHERE received_at < (SELECT overdue FROM clock)
          - CASE WHEN status = 'WAITING' THEN interval '3 days 2 hours' ELSE interval '0' END
        AND status IN ('RECEIVED', 'WAITING')
        AND NOT EXISTS (SELECT 1 FROM parked_processes
          WHERE workflow_id = concat_ws(':', 'webhook', w.provider, w.external_event_id))`,
  },
  {
    id: 'webhooks.have-their-effect',
    says: 'Money that a processed event reports is recorded, for the payment that the event names.',
    sql: `SELECT w.id AS entity, format('%s of %s reports payment %s', w.external_event_id, w.provider, w.payment) AS detail
      FROM (
        SELECT id, provider, external_event_id,
          CASE WHEN status = 'PROCESSED' AND type = 'payment.paid' THEN body::jsonb #>> '{data,paymentId}' END AS payment,
          CASE WHEN status = 'PROCESSED' AND type = 'payment.paid' THEN body::jsonb #>> '{data,key}' END AS attempt
        FROM webhook_events WHERE provider <> 'stripe'
        UNION ALL
        SELECT id, provider, external_event_id, object ->> 'payment_intent', object #>> '{metadata,attempt_id}'
        FROM (
          SELECT id, provider, external_event_id, CASE WHEN status = 'PROCESSED' THEN body::jsonb #> '{data,object}' END
            AS object
          FROM webhook_events WHERE provider = 'stripe' AND type LIKE 'checkout.session.%'
        ) AS stripe
        WHERE object ->> 'payment_status' = 'paid'
      ) AS w
      WHERE w.payment IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM payment_captures c
        WHERE c.provider = w.provider AND c.provider_payment_id = w.payment AND c.attempt_id::text = w.attempt)`,
  },
  {
    id: 'sandbox.pays-back-once',
    says: 'The sandbox paid back exactly our refunds, each once, and no more of a payment than it brought.',
    sql: `SELECT s.key AS entity, format('the sandbox sent %s %s back for payment %s; our refund is %s', s.amount_minor,
        s.currency, s.payment_id, coalesce(r.amount_minor || ' ' || r.currency, 'none')) AS detail
      FROM sandbox_refunds s
      LEFT JOIN payment_refunds r ON r.id::text = s.key LEFT JOIN payment_captures c ON c.id = r.capture_id
      WHERE r.id IS NULL OR r.amount_minor <> s.amount_minor OR r.currency <> s.currency
        OR c.provider_payment_id <> s.payment_id
      UNION ALL
      SELECT r.id::text, 'the sandbox never sent it'
      FROM payment_refunds r JOIN payment_captures c ON c.id = r.capture_id
        JOIN sandbox_payments p ON p.id::text = c.provider_payment_id
      WHERE r.status = 'COMPLETED' AND r.settlement_reference IS NULL AND c.provider = 'sandbox' AND NOT EXISTS (
        SELECT 1 FROM sandbox_refunds s WHERE s.key = r.id::text)
      UNION ALL
      SELECT p.id::text, format('brought %s, sent back %s', p.amount_minor, sum(s.amount_minor))
      FROM sandbox_payments p JOIN sandbox_refunds s ON s.payment_id = p.id::text
      GROUP BY p.id HAVING sum(s.amount_minor) > p.amount_minor`,
  },
];
