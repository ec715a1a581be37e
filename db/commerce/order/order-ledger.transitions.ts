import type { RefundShares } from '../../../workflows/commerce/refund/refund-claim.rules';
import type { Reference } from '../../../workflows/ledger/reference.rules';
import { clearingAccount, type PlatformAccount, type UserAccount } from '../../ledger/ledger.accounts';
import { postTransfer } from '../../ledger/ledger.transitions';
import { firstRow, type Tx } from '../../sql/query';
import type { LockedOrder } from './order.transitions';

type Money = Pick<
  LockedOrder,
  | 'id'
  | 'userId'
  | 'currency'
  | 'subtotalMinor'
  | 'discountMinor'
  | 'shippingMinor'
  | 'taxMinor'
  | 'totalMinor'
>;

/**
 * The ledger entries of orders. A sale is paid from the clearing account of the provider that took the money, and from
 * `payments`, which holds money of the buyer's own accounts until then. Money owed to buyers is in `refunds`.
 */

/** Holds the buyer's own money for the order. Refused: INSUFFICIENT_BALANCE. */
export async function holdBalance(
  tx: Tx,
  order: Money,
  account: 'wallet' | 'partner_available',
  amountMinor: number,
  at: string,
): Promise<void> {
  await transfer(tx, order, { kind: 'order-hold', subjectId: order.id, part: account }, at, [
    { account, userId: order.userId, amountMinor: -amountMinor },
    { account: 'payments', amountMinor },
  ]);
}

/** Returns money that was held for an order that was never paid. */
export async function releaseBalance(
  tx: Tx,
  order: Money,
  account: 'wallet' | 'partner_available',
  amountMinor: number,
  at: string,
): Promise<void> {
  await transfer(tx, order, { kind: 'order-release', subjectId: order.id, part: account }, at, [
    { account: 'payments', amountMinor: -amountMinor },
    { account, userId: order.userId, amountMinor },
  ]);
}

/** Books the sale of an order that is paid in full and whose capture is recorded. */
export async function bookSale(tx: Tx, order: Money, at: string): Promise<void> {
  const capture = await firstRow<{ provider: string; amountMinor: number }>(
    tx,
    `SELECT provider, amount_minor FROM payment_captures WHERE order_id = $1 AND applied`,
    [order.id],
  );
  await transfer(tx, order, { kind: 'order-payment', subjectId: order.id }, at, [
    { account: 'payments', amountMinor: (capture?.amountMinor ?? 0) - order.totalMinor },
    ...(capture ? [{ account: clearingAccount(capture.provider), amountMinor: -capture.amountMinor }] : []),
    { account: 'sales', amountMinor: order.subtotalMinor - order.discountMinor },
    { account: 'shipping', amountMinor: order.shippingMinor },
    { account: 'tax', amountMinor: order.taxMinor },
  ]);
}

/** Reverses the rest of the sale of a cancelled order; its price is then owed to the buyer. */
export async function unbookSale(
  tx: Tx,
  order: Pick<Money, 'id' | 'currency'>,
  left: RefundShares,
  at: string,
): Promise<void> {
  await transfer(tx, order, { kind: 'order-cancellation', subjectId: order.id }, at, reversal(left));
}

/** Pays a part of the money owed back to the buyer's own account. */
export async function repayBalance(
  tx: Tx,
  order: Money,
  account: 'wallet' | 'partner_available',
  amountMinor: number,
  at: string,
): Promise<void> {
  await transfer(tx, order, { kind: 'order-repayment', subjectId: order.id, part: account }, at, [
    { account: 'refunds', amountMinor: -amountMinor },
    { account, userId: order.userId, amountMinor },
  ]);
}

/** Reverses a part of a sale for a refund; that part is then owed to the buyer. */
export async function unbookPart(
  tx: Tx,
  refund: { id: string; currency: string },
  shares: RefundShares,
  at: string,
): Promise<void> {
  await transfer(tx, refund, { kind: 'refund', subjectId: refund.id }, at, reversal(shares));
}

const reversal = ({ goodsMinor, goodsTaxMinor, shippingMinor, shippingTaxMinor }: RefundShares): Leg[] => [
  { account: 'sales', amountMinor: -goodsMinor },
  { account: 'shipping', amountMinor: -shippingMinor },
  { account: 'tax', amountMinor: -goodsTaxMinor - shippingTaxMinor },
  { account: 'refunds', amountMinor: goodsMinor + goodsTaxMinor + shippingMinor + shippingTaxMinor },
];

/** Pays the part of a refund that came from the buyer's own account back to it. */
export async function repayPart(
  tx: Tx,
  refund: { id: string; userId: string; currency: string },
  account: 'wallet' | 'partner_available',
  amountMinor: number,
  at: string,
): Promise<void> {
  await transfer(tx, refund, { kind: 'refund-repayment', subjectId: refund.id, part: account }, at, [
    { account: 'refunds', amountMinor: -amountMinor },
    { account, userId: refund.userId, amountMinor },
  ]);
}

/** Books money that pays no order and is owed to its sender. */
export async function bookStrayCapture(
  tx: Tx,
  capture: { id: string; provider: string; currency: string; amountMinor: number },
  at: string,
): Promise<void> {
  await transfer(tx, capture, { kind: 'capture', subjectId: capture.id }, at, [
    { account: clearingAccount(capture.provider), amountMinor: -capture.amountMinor },
    { account: 'refunds', amountMinor: capture.amountMinor },
  ]);
}

/** A refund that was sent. `sentAs`: the name of the sending, by its provider or a person. */
interface SentRefund {
  id: string;
  currency: string;
  amountMinor: number;
  returnedReference: string | null;
  sentAs: string;
}

/** Books a refund that was sent from the provider's clearing account, also again after the first sending came back. */
export async function bookRefundSent(
  tx: Tx,
  { id: subjectId, returnedReference, sentAs, ...refund }: SentRefund,
  provider: string,
  at: string,
): Promise<void> {
  const reference: Reference =
    returnedReference === null
      ? { kind: 'payment-refund', subjectId }
      : { kind: 'payment-refund-again', subjectId, part: sentAs };
  await transfer(tx, refund, reference, at, [
    { account: 'refunds', amountMinor: -refund.amountMinor },
    { account: clearingAccount(provider), amountMinor: refund.amountMinor },
  ]);
}

/** Reduces the debt of a cancelled order by money that reached the buyer through a chargeback, which is then no loss. */
export async function bookOwedByChargeback(
  tx: Tx,
  order: { id: string; currency: string },
  amountMinor: number,
  at: string,
): Promise<void> {
  await transfer(tx, order, { kind: 'order-charged-back', subjectId: order.id }, at, [
    { account: 'refunds', amountMinor: -amountMinor },
    { account: 'losses', amountMinor },
  ]);
}

type Leg =
  | { account: Exclude<UserAccount, 'payout_hold'>; userId: string; amountMinor: number }
  | { account: PlatformAccount; userId?: never; amountMinor: number };

async function transfer(
  tx: Tx,
  { currency }: { currency: string },
  reference: Reference,
  at: string,
  legs: Leg[],
): Promise<void> {
  await postTransfer(tx, { reference, entries: legs.map((leg) => ({ ...leg, currency })), at: new Date(at) });
}
