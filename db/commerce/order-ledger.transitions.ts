import type { PlatformAccount, UserAccount } from '../ledger/ledger.accounts';
import { postTransfer } from '../ledger/ledger.transitions';
import type { Tx } from '../sql';
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
 * How an order's money is booked. `payments` stands between: what a buyer's account or a provider brings goes in
 * (negative at the provider's side), and the sale takes it out again. What is owed back waits in `refunds`.
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

/** The order is paid in full: the sale is earned. */
export async function bookSale(tx: Tx, order: Money, at: string): Promise<void> {
  await transfer(tx, order, `order:${order.id}:payment`, at, [
    { account: 'payments', amountMinor: -order.totalMinor },
    { account: 'sales', amountMinor: order.subtotalMinor - order.discountMinor },
    { account: 'shipping', amountMinor: order.shippingMinor },
    { account: 'tax', amountMinor: order.taxMinor },
  ]);
}

/** A paid order is cancelled: the sale is taken back and its whole price is owed to the buyer. */
export async function unbookSale(tx: Tx, order: Money, at: string): Promise<void> {
  await transfer(tx, order, `order:${order.id}:cancellation`, at, [
    { account: 'sales', amountMinor: order.discountMinor - order.subtotalMinor },
    { account: 'shipping', amountMinor: -order.shippingMinor },
    { account: 'tax', amountMinor: -order.taxMinor },
    { account: 'refunds', amountMinor: order.totalMinor },
  ]);
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
  { goodsMinor, taxMinor, shippingMinor }: { goodsMinor: number; taxMinor: number; shippingMinor: number },
  at: string,
): Promise<void> {
  await transfer(tx, refund, `refund:${refund.id}`, at, [
    { account: 'sales', amountMinor: -goodsMinor },
    { account: 'shipping', amountMinor: -shippingMinor },
    { account: 'tax', amountMinor: -taxMinor },
    { account: 'refunds', amountMinor: goodsMinor + taxMinor + shippingMinor },
  ]);
}

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
  capture: { id: string; currency: string; amountMinor: number },
  at: string,
): Promise<void> {
  await transfer(tx, capture, `capture:${capture.id}`, at, [
    { account: 'payments', amountMinor: -capture.amountMinor },
    { account: 'refunds', amountMinor: capture.amountMinor },
  ]);
}

/** The provider has sent the money back. */
export async function bookRefundSent(
  tx: Tx,
  refund: { id: string; currency: string; amountMinor: number },
  at: string,
): Promise<void> {
  await transfer(tx, refund, `payment-refund:${refund.id}`, at, [
    { account: 'refunds', amountMinor: -refund.amountMinor },
    { account: 'payments', amountMinor: refund.amountMinor },
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
