import type { Attributes } from 'sequelize';
import type { PaymentRefundStatus } from '../../../workflows/commerce/refund/payment-refund.states';
import { firstRow, rows, type Db } from '../../sql/query';
import type { User } from '../../identity/user/user.model';
import type { PaymentRefund } from './payment-refund.model';

/** Money on its way back, as administrators read it. */
export type PaymentRefundRow = Pick<
  Attributes<PaymentRefund>,
  | 'id'
  | 'orderId'
  | 'status'
  | 'reason'
  | 'refundRequestId'
  | 'amountMinor'
  | 'currency'
  | 'providerRefundId'
  | 'settlementReference'
  | 'settlementId'
  | 'settledBy'
  | 'chargebackId'
  | 'splitFrom'
  | 'createdAt'
  | 'completedAt'
> &
  Pick<Attributes<User>, 'email' | 'firstName' | 'lastName' | 'payoutMethod' | 'payoutMasked'> & {
    orderNumber: string;
    userId: string;
    /** The provider that brought the money. */
    provider: string;
    /** The name of the payment that brought it, given by the provider or the bank. */
    paymentReference: string;
    /**
     * True if only a person can send it: it came by transfer, or was given up. False while a bank has taken the payment
     * back and the dispute is not decided, or a lost one pays it.
     */
    needsTransfer: boolean;
    /** The buyer's payout details, sealed for the purpose `payout:<user id>`; null: never entered. */
    payoutSealed: Buffer | null;
  };

/** True if only a person can send a refund. A fragment over `r` and its capture `c`. */
export const NEEDS_TRANSFER = `((r.status = 'ABANDONED' OR (r.status = 'PROCESSING' AND c.provider = 'bank'))
    AND c.refunded_minor + c.charged_back_minor - c.refunds_charged_back_minor <= c.amount_minor
    AND NOT EXISTS (SELECT 1 FROM chargebacks b WHERE b.capture_id = c.id AND b.status = 'TAKEN'))`;

const REFUND = `r.id, r.order_id, o.number AS order_number, o.user_id, u.email,
  u.first_name, u.last_name, c.provider, c.provider_payment_id AS payment_reference,
  r.status, r.reason, r.refund_request_id, r.amount_minor, r.currency, ${NEEDS_TRANSFER} AS needs_transfer,
  u.payout_method, u.payout_masked, u.payout_sealed, r.provider_refund_id,
  r.settlement_reference, r.settlement_id, r.settled_by,
  r.chargeback_id, r.split_from,
  r.created_at, r.completed_at`;
const OF = `JOIN payment_captures c ON c.id = r.capture_id JOIN orders o ON o.id = r.order_id
  JOIN users u ON u.id = o.user_id`;

/** A filter of refunds; `order`: the id or the number of their order. */
export interface PaymentRefundFilter {
  status: PaymentRefundStatus | null;
  order: string | null;
}

/** One page of all refunds that the filter lets through, newest first; `total` counts them all. */
export async function listPaymentRefunds(
  db: Db,
  { status, order }: PaymentRefundFilter,
  page: { limit: number; offset: number },
): Promise<{ total: number; refunds: PaymentRefundRow[] }> {
  const bind = [status, order];
  const which = `($1::text IS NULL OR status = $1) AND ($2::text IS NULL OR order_id =
    (SELECT id FROM orders WHERE id::text = lower($2) OR number = $2))`;
  const counted = await firstRow<{ total: number }>(
    db,
    `SELECT count(*)::int AS total FROM payment_refunds WHERE ${which}`,
    bind,
  );
  const refunds = await rows<PaymentRefundRow>(
    db,
    `WITH r AS MATERIALIZED (
       SELECT * FROM payment_refunds WHERE ${which} ORDER BY created_at DESC, id DESC LIMIT $3 OFFSET $4)
     SELECT ${REFUND} FROM r ${OF} ORDER BY r.created_at DESC, r.id DESC`,
    [...bind, page.limit, page.offset],
  );
  return { total: counted?.total ?? 0, refunds };
}

/** One refund; null when there is none. */
export function paymentRefund(db: Db, id: string): Promise<PaymentRefundRow | null> {
  return firstRow<PaymentRefundRow>(db, `SELECT ${REFUND} FROM payment_refunds r ${OF} WHERE r.id = $1`, [
    id,
  ]);
}

/** The refunds that belong to a request, oldest first: its parts by payment, and by what a chargeback has paid. */
export const paymentRefundsOfRequest = (db: Db, refundRequestId: string): Promise<PaymentRefundRow[]> =>
  rows<PaymentRefundRow>(
    db,
    `SELECT ${REFUND} FROM payment_refunds r ${OF} WHERE r.refund_request_id = $1 ORDER BY r.created_at, r.id`,
    [refundRequestId],
  );
