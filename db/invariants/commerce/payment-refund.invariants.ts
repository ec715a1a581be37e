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

/** Refunds of payments agree with their captures, with the ledger and with the provider. */
export const paymentRefundInvariants: readonly Invariant[] = [
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
