import {
  PAYABLE_ID,
  PAYABLE_STATUS,
  payableColumns,
  payableId,
  payablesOf,
} from '../../commerce/payment/payable';
import { LOOK_OVERDUE_MS } from '../../../workflows/commerce/refund/sending/pending.rules';
import { isOf } from '../../ledger/reference-columns';
import type { Invariant } from '../invariant';

const IS_STRAY = isOf('t', 'capture');
const PAYMENT_REFUND_KINDS = [
  'payment-refund',
  'payment-refund-again',
  'payment-refund-returned',
  'payment-refund-chargeback',
  'payment-refund-chargeback-return',
] as const;

/** Attempts, captures and refunds agree with each other, with the ledger and with the provider. */
export const paymentInvariants: readonly Invariant[] = [
  {
    id: 'payments.pay-once',
    says: 'An order that was paid has one PAID attempt and at most one applied capture; any other has neither.',
    sql: `SELECT o.id AS entity, format('%s, %s; %s PAID attempts, %s applied captures', o.status,
        CASE WHEN o.paid_at IS NULL THEN 'never paid' ELSE 'paid' END, a.paid, c.applied) AS detail
      FROM orders o
      CROSS JOIN LATERAL (SELECT count(*) AS paid FROM payment_attempts WHERE order_id = o.id AND status = 'PAID') AS a
      CROSS JOIN LATERAL (SELECT count(*) AS applied FROM payment_captures WHERE order_id = o.id AND applied) AS c
      WHERE a.paid <> CASE WHEN o.paid_at IS NULL THEN 0 ELSE 1 END OR c.applied > a.paid OR c.applied > 1`,
  },
  {
    id: 'payments.captures-fit-their-attempts',
    says: 'A capture is of what its attempt is for; one that paid is also of its amount, and made the attempt PAID.',
    sql: `SELECT c.id AS entity, format('%s %s for %s; its attempt is %s, of %s %s for %s', c.amount_minor, c.currency,
        ${payableId('c')}, a.status, a.amount_minor, a.currency, ${payableId('a')}) AS detail
      FROM payment_captures c JOIN payment_attempts a ON a.id = c.attempt_id
      WHERE (${payableColumns('c')}) IS DISTINCT FROM (${payableColumns('a')}) OR (c.applied
        AND (c.currency <> a.currency OR c.amount_minor <> a.amount_minor OR a.status <> 'PAID'))
      UNION ALL
      SELECT a.id, 'a PAID attempt by ' || a.method || ' that no money came for'
      FROM payment_attempts a
      WHERE a.status = 'PAID' AND a.method <> 'BALANCE' AND a.amount_minor > 0
        AND NOT EXISTS (SELECT 1 FROM payment_captures c WHERE c.attempt_id = a.id AND c.applied)`,
  },
  {
    id: 'payments.name-the-method-that-paid',
    says: 'The payment method of a paid order is that of the attempt that paid it.',
    sql: `SELECT o.id AS entity, format('names %s, was paid by %s', o.payment_method, a.method) AS detail
      FROM orders o JOIN payment_attempts a ON a.order_id = o.id AND a.status = 'PAID'
      WHERE a.method <> o.payment_method`,
  },
  {
    id: 'payments.ask-for-what-is-due',
    says: 'Every attempt is for the total less the partner balance.',
    sql: `SELECT a.id AS entity, format('%s %s; order %s asks for %s of %s %s', a.amount_minor, a.currency, o.id,
        o.total_minor - o.partner_balance_minor, o.total_minor, o.currency) AS detail
      FROM payment_attempts a JOIN orders o ON o.id = a.order_id
      WHERE a.amount_minor <> o.total_minor - o.partner_balance_minor OR a.currency <> o.currency`,
  },
  {
    id: 'payments.close-with-their-order',
    says: 'Only an order that waits for payment has an attempt PENDING, and one at most.',
    sql: `SELECT o.id AS entity, format('%s with %s attempts PENDING', o.status, count(*)) AS detail
      FROM orders o JOIN payment_attempts a ON a.order_id = o.id AND a.status = 'PENDING'
      GROUP BY o.id HAVING count(*) > CASE WHEN o.status = 'PENDING_PAYMENT' THEN 1 ELSE 0 END`,
  },
  {
    id: 'payments.stray-money-goes-back',
    says: 'Money that pays nothing is on its way back, all of it.',
    sql: `SELECT id AS entity, format('%s keeps %s of %s', ${payableId()}, amount_minor - refunded_minor, amount_minor) AS detail
      FROM payment_captures WHERE NOT applied AND refunded_minor <> amount_minor`,
  },
  {
    id: 'refunds.stay-within-the-capture',
    says: "A capture's refunds are of what it is for and of its currency, add up to its refunded amount, and never exceed the capture.",
    sql: `SELECT c.id AS entity, format('%s of %s refunded, the refunds make %s', c.refunded_minor, c.amount_minor,
        coalesce(sum(r.amount_minor), 0)) AS detail
      FROM payment_captures c LEFT JOIN payment_refunds r ON r.capture_id = c.id
      GROUP BY c.id
      HAVING c.refunded_minor <> coalesce(sum(r.amount_minor), 0) OR c.refunded_minor > c.amount_minor
        OR coalesce(bool_or((${payableColumns('r')}, r.currency)
          IS DISTINCT FROM (${payableColumns('c')}, c.currency)) FILTER (WHERE r.id IS NOT NULL), false)`,
  },
  {
    id: 'refunds.are-booked',
    says: 'Money that pays nothing is booked as owed, and as sent when its refund or the bank has sent it; only then.',
    sql: `WITH booked AS (
        SELECT ${IS_STRAY} AS is_stray, t.subject_id, abs(sum(e.amount_minor)) AS minor
        FROM ledger_transfers t JOIN ledger_entries e ON e.transfer_id = t.id
        WHERE e.account = 'refunds' AND (${IS_STRAY} OR ${isOf('t', ...PAYMENT_REFUND_KINDS)})
        GROUP BY 1, 2
      )
      SELECT r.id AS entity, format('%s refund of %s, sent as %s; booked %s', r.status, r.amount_minor,
        coalesce(r.provider_refund_id, r.settlement_reference, 'nothing'), coalesce(b.minor, 0)) AS detail
      FROM payment_refunds r LEFT JOIN booked b ON b.subject_id = r.id::text AND NOT b.is_stray
      WHERE coalesce(b.minor, 0) <> CASE WHEN r.status IN ('COMPLETED', 'CHARGED_BACK') THEN r.amount_minor ELSE 0 END
        OR (r.status = 'COMPLETED') <>
          (coalesce(r.provider_refund_id, r.settlement_reference) IS NOT NULL AND r.completed_at IS NOT NULL)
      UNION ALL
      SELECT c.id, format('stray capture of %s; booked %s', c.amount_minor, coalesce(b.minor, 0))
      FROM payment_captures c LEFT JOIN booked b ON b.subject_id = c.id::text AND b.is_stray
      WHERE coalesce(b.minor, 0) <> CASE WHEN c.applied THEN 0 ELSE c.amount_minor END`,
  },
  {
    id: 'refunds.have-their-reason',
    says: 'A refund for a cancellation is of a cancelled order that was paid; one of money that paid nothing has no request.',
    sql: `SELECT r.id AS entity, format('%s of %s, which is %s; the money %s it', r.reason, ${PAYABLE_ID}, ${PAYABLE_STATUS},
        CASE WHEN c.applied THEN 'paid' ELSE 'did not pay' END) AS detail
      FROM payment_refunds r JOIN payment_captures c ON c.id = r.capture_id ${payablesOf('r')}
      WHERE c.applied <> (r.reason IN ('CANCELLATION', 'REFUND'))
        OR (r.reason = 'CANCELLATION' AND (o.status = 'CANCELLED' AND o.paid_at IS NOT NULL) IS NOT TRUE)`,
  },
  {
    // A refund that a person has to send from our bank account takes days; its process reminds of it. One that its provider has
    // pending takes days too, and is looked up all the time.
    id: 'refunds.are-not-stuck',
    says: 'A refund is completed, given up, looked up while its provider has it pending, or shown to an operator.',
    sql: `SELECT r.id AS entity, format('of %s, since %s%s', ${payableId('r')}, r.created_at,
        ', pending since ' || r.pending_since || ', last looked up ' || r.answered_at) AS detail
      FROM payment_refunds r JOIN payment_captures c ON c.id = r.capture_id
      WHERE r.status = 'PROCESSING' AND c.provider <> 'bank'
        AND greatest(r.created_at, r.answered_at) < (SELECT overdue FROM clock)
          - CASE WHEN r.pending_since IS NULL THEN interval '20 minutes' ELSE ${LOOK_OVERDUE_MS} * interval '1 millisecond' END
        AND NOT EXISTS (SELECT 1 FROM parked_processes WHERE workflow_id = 'payment-refund:' || r.id)`,
  },
];
