import type { Attributes } from 'sequelize';
import type { PayableIds } from '../../../workflows/commerce/payable/payable.rules';
import type { PaymentRefundStatus } from '../../../workflows/commerce/refund/payment-refund.states';
import { firstRow, rows, type Db, type Tx } from '../../sql/query';
import type { User } from '../../identity/user/user.model';
import { bankReference } from '../payment/bank-reference';
import { NUMBER, payableColumns, payablesOf, USER_ID } from '../payment/payable';
import type { PaymentRefund } from './payment-refund.model';

/** Money on its way back, as administrators read it. */
export type PaymentRefundRow = Pick<
  Attributes<PaymentRefund>,
  | keyof PayableIds
  | 'id'
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
    /** The number of what was paid for. */
    number: string;
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

const REFUND = `r.id, ${payableColumns('r')}, ${NUMBER} AS number, ${USER_ID} AS user_id, u.email,
  u.first_name, u.last_name, c.provider, c.provider_payment_id AS payment_reference,
  r.status, r.reason, r.refund_request_id, r.amount_minor, r.currency, ${NEEDS_TRANSFER} AS needs_transfer,
  u.payout_method, u.payout_masked, u.payout_sealed, r.provider_refund_id,
  r.settlement_reference, r.settlement_id, r.settled_by,
  r.chargeback_id, r.split_from,
  r.created_at, r.completed_at`;
const OF = `JOIN payment_captures c ON c.id = r.capture_id ${payablesOf('r')}
  JOIN users u ON u.id = ${USER_ID}`;

/** A filter of refunds; `order`, `participation`, `entrance`, `topUp`: the id or the number of what was paid for. */
export interface PaymentRefundFilter {
  status: PaymentRefundStatus | null;
  order: string | null;
  participation: string | null;
  entrance: string | null;
  topUp: string | null;
  /** True: those that only a person can send; false: all others. */
  needsTransfer: boolean | null;
}

/** SQL for the ids of the refunds that only a person can send, by the indexes of those that are not over. */
const OWED = ['ABANDONED', 'PROCESSING']
  .map(
    (status) => `SELECT r.id FROM payment_refunds r JOIN payment_captures c ON c.id = r.capture_id
      WHERE r.status = '${status}' AND ${NEEDS_TRANSFER}`,
  )
  .join(' UNION ALL ');

/** One page of all refunds that the filter lets through, newest first; `total` counts them all. */
export async function listPaymentRefunds(
  db: Db,
  { status, order, participation, entrance, topUp, needsTransfer }: PaymentRefundFilter,
  page: { limit: number; offset: number },
): Promise<{ total: number; refunds: PaymentRefundRow[] }> {
  const bind = [status, order, participation, entrance, topUp];
  const which = `($1::text IS NULL OR status = $1) AND ($2::text IS NULL OR order_id =
    (SELECT id FROM orders WHERE id::text = lower($2) OR number = $2))
    AND ($3::text IS NULL OR participation_id =
    (SELECT id FROM participations WHERE id::text = lower($3) OR number = $3))
    AND ($4::text IS NULL OR entrance_id =
    (SELECT id FROM partner_entrances WHERE id::text = lower($4) OR number = $4))
    AND ($5::text IS NULL OR top_up_id =
    (SELECT id FROM top_ups WHERE id::text = lower($5) OR number = $5))
    ${needsTransfer === null ? '' : `AND id ${needsTransfer ? 'IN' : 'NOT IN'} (${OWED})`}`;
  const counted = await firstRow<{ total: number }>(
    db,
    `SELECT count(*)::int AS total FROM payment_refunds WHERE ${which}`,
    bind,
  );
  const refunds = await rows<PaymentRefundRow>(
    db,
    `WITH r AS MATERIALIZED (
       SELECT * FROM payment_refunds WHERE ${which} ORDER BY created_at DESC, id DESC LIMIT $6 OFFSET $7)
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

/** Ids of the refunds by which a bank transfer is on its way back. */
export async function openRefundsOf(tx: Tx, transactionId: string): Promise<string[]> {
  const open = await rows<{ id: string }>(
    tx,
    `SELECT r.id FROM payment_refunds r JOIN payment_captures c ON c.id = r.capture_id
     WHERE c.provider = 'bank' AND ${bankReference('c.provider_payment_id')} = ${bankReference('$1')}
       AND r.status = 'PROCESSING' ORDER BY r.id`,
    [transactionId],
  );
  return open.map(({ id }) => id);
}
