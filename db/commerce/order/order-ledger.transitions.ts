import type { RefundShares } from '../../../workflows/commerce/refund/refund-claim.rules';
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
 * How an order's money is booked. A sale is paid by the clearing account of the provider that brought the money, and by
 * `payments`, where what the buyer's own accounts bring stands until then. What is owed back waits in `refunds`.
 */

/** The buyer's own money is set against the order. Refused: INSUFFICIENT_BALANCE. */
export async function holdBalance(
  tx: Tx,
  order: Money,
  account: 'wallet' | 'partner_available',
  amountMinor: number,
  at: string,
): Promise<void> {
  await transfer(tx, order, `order:${order.id}:${account}`, at, [
    { account, userId: order.userId, amountMinor: -amountMinor },
    { account: 'payments', amountMinor },
  ]);
}

/** Money held for an order that was never paid goes back. */
export async function releaseBalance(
  tx: Tx,
  order: Money,
  account: 'wallet' | 'partner_available',
  amountMinor: number,
  at: string,
): Promise<void> {
  await transfer(tx, order, `order:${order.id}:${account}:release`, at, [
    { account: 'payments', amountMinor: -amountMinor },
    { account, userId: order.userId, amountMinor },
  ]);
}

/** The order is paid in full, and what paid it is written down: the sale is earned. */
export async function bookSale(tx: Tx, order: Money, at: string): Promise<void> {
  const capture = await firstRow<{ provider: string; amountMinor: number }>(
    tx,
    `SELECT provider, amount_minor FROM payment_captures WHERE order_id = $1 AND applied`,
    [order.id],
  );
  await transfer(tx, order, `order:${order.id}:payment`, at, [
    { account: 'payments', amountMinor: (capture?.amountMinor ?? 0) - order.totalMinor },
    ...(capture ? [{ account: clearingAccount(capture.provider), amountMinor: -capture.amountMinor }] : []),
    { account: 'sales', amountMinor: order.subtotalMinor - order.discountMinor },
    { account: 'shipping', amountMinor: order.shippingMinor },
    { account: 'tax', amountMinor: order.taxMinor },
  ]);
}

/** A paid order is cancelled: what is left of the sale is taken back and owed to the buyer. */
export async function unbookSale(
  tx: Tx,
  order: Pick<Money, 'id' | 'currency'>,
  left: RefundShares,
  at: string,
): Promise<void> {
  await transfer(tx, order, `order:${order.id}:cancellation`, at, takenBack(left));
}

/** Part of what is owed goes back to the buyer's own account at once. */
export async function repayBalance(
  tx: Tx,
  order: Money,
  account: 'wallet' | 'partner_available',
  amountMinor: number,
  at: string,
): Promise<void> {
  await transfer(tx, order, `order:${order.id}:${account}:refund`, at, [
    { account: 'refunds', amountMinor: -amountMinor },
    { account, userId: order.userId, amountMinor },
  ]);
}

/** Goods come back, or their price does: so much of the sale is taken back and owed to the buyer. */
export async function unbookPart(
  tx: Tx,
  refund: { id: string; currency: string },
  shares: RefundShares,
  at: string,
): Promise<void> {
  await transfer(tx, refund, `refund:${refund.id}`, at, takenBack(shares));
}

const takenBack = ({ goodsMinor, goodsTaxMinor, shippingMinor, shippingTaxMinor }: RefundShares): Leg[] => [
  { account: 'sales', amountMinor: -goodsMinor },
  { account: 'shipping', amountMinor: -shippingMinor },
  { account: 'tax', amountMinor: -goodsTaxMinor - shippingTaxMinor },
  { account: 'refunds', amountMinor: goodsMinor + goodsTaxMinor + shippingMinor + shippingTaxMinor },
];

/** The part of a refund that the buyer's own account brought goes back there at once. */
export async function repayPart(
  tx: Tx,
  refund: { id: string; userId: string; currency: string },
  account: 'wallet' | 'partner_available',
  amountMinor: number,
  at: string,
): Promise<void> {
  await transfer(tx, refund, `refund:${refund.id}:${account}`, at, [
    { account: 'refunds', amountMinor: -amountMinor },
    { account, userId: refund.userId, amountMinor },
  ]);
}

/** Money came that no order wants: it is owed back. */
export async function bookStrayCapture(
  tx: Tx,
  capture: { id: string; provider: string; currency: string; amountMinor: number },
  at: string,
): Promise<void> {
  await transfer(tx, capture, `capture:${capture.id}`, at, [
    { account: clearingAccount(capture.provider), amountMinor: -capture.amountMinor },
    { account: 'refunds', amountMinor: capture.amountMinor },
  ]);
}

/** The money has been sent back; `provider`: from whose clearing account. */
export async function bookRefundSent(
  tx: Tx,
  refund: { id: string; currency: string; amountMinor: number },
  provider: string,
  at: string,
): Promise<void> {
  await transfer(tx, refund, `payment-refund:${refund.id}`, at, [
    { account: 'refunds', amountMinor: -refund.amountMinor },
    { account: clearingAccount(provider), amountMinor: refund.amountMinor },
  ]);
}

/** Part of what a cancelled order owes reached the buyer by a chargeback: it is owed no longer, and no loss. */
export async function bookOwedByChargeback(
  tx: Tx,
  order: { id: string; currency: string },
  amountMinor: number,
  at: string,
): Promise<void> {
  await transfer(tx, order, `order:${order.id}:charged-back`, at, [
    { account: 'refunds', amountMinor: -amountMinor },
    { account: 'losses', amountMinor },
  ]);
}

type Leg =
  | { account: UserAccount; userId: string; amountMinor: number }
  | { account: PlatformAccount; userId?: never; amountMinor: number };

async function transfer(
  tx: Tx,
  { currency }: { currency: string },
  reference: string,
  at: string,
  legs: Leg[],
): Promise<void> {
  await postTransfer(tx, { reference, entries: legs.map((leg) => ({ ...leg, currency })), at: new Date(at) });
}
