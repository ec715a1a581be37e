import { businessRefusal, refusal, type RefusalDetails } from '../../errors';
import type { OrderStatus } from '../order/order.states';
import {
  allThatIsLeft,
  claimFor,
  type ReturnableLine,
  type ReturnableOrder,
  type ReturnClaim,
} from './refund-claim.rules';
import { isAnythingLeft, whyNotRefundable, type CapturedMoney, type PaidOrder } from './refund.rules';

const REFUSALS = {
  CANNOT_REFUND: 'A refund can be requested once the order has shipped. Cancel it instead.',
  REFUND_PERIOD_EXPIRED: 'The return period of this order is over.',
};

/** An order of which its buyer asks for money back. */
export interface RequestableOrder extends ReturnableOrder, PaidOrder {
  status: OrderStatus;
  deliveredAt: Date | null;
  hasOpenRefundRequest: boolean;
  /** The money that a provider brought; null for an order paid from balances. */
  capture: CapturedMoney | null;
}

/**
 * The claim of a buyer's request at `at`. Refused: CANNOT_REFUND, REFUND_PERIOD_EXPIRED, REFUND_ALREADY_REQUESTED,
 * VALIDATION_ERROR (goods that the order does not have any more).
 */
export function requestedClaim(
  order: RequestableOrder,
  named: NamedUnits,
  at: Date,
  windowDays: number,
): ReturnClaim {
  const obstacle = whyNotRefundable(order, at, windowDays);
  if (obstacle) throw refusal(obstacle, REFUSALS[obstacle]);
  if (order.hasOpenRefundRequest)
    throw refusal('REFUND_ALREADY_REQUESTED', 'A refund request for this order is already open.');
  if (!isAnythingLeft(order, order.capture)) throw refusal('CANNOT_REFUND');
  const claim = claimFor(order, wantedUnits(named, order.lines));
  if (claim.claimedMinor === 0) throw refusal('CANNOT_REFUND', 'Nothing was paid for these items.');
  return claim;
}

/** Goods of an order as a request names them: whole lines, or a number of units. Neither: all that is left. */
export interface NamedUnits {
  itemIds: string[] | null;
  items: { itemId: string; quantity: number }[] | null;
}

/** The units to give back, by line. Refused: VALIDATION_ERROR, naming what the order does not have (any more). */
export function wantedUnits(
  { itemIds, items }: NamedUnits,
  lines: readonly ReturnableLine[],
): Map<string, number> {
  const left = allThatIsLeft({ lines });
  if (itemIds === null && items === null) return left;
  const wanted = new Map<string, number>();
  const wrong: RefusalDetails = {};
  const take = (field: string, itemId: string): number => {
    const there = left.get(itemId) ?? 0;
    if (!left.has(itemId)) wrong[field] = ['is not an item of this order'];
    else if (wanted.has(itemId)) wrong[field] = ['repeats an item'];
    else if (there === 0) wrong[field] = ['is already refunded'];
    else wanted.set(itemId, there);
    return there;
  };
  itemIds?.forEach((itemId, index) => take(`itemIds.${index}`, itemId));
  items?.forEach(({ itemId, quantity }, index) => {
    const there = take(`items.${index}.itemId`, itemId);
    if (`items.${index}.itemId` in wrong) return;
    if (quantity > there) wrong[`items.${index}.quantity`] = [`must be at most ${there}`];
    wanted.set(itemId, quantity);
  });
  if (Object.keys(wrong).length > 0)
    throw businessRefusal('ITEMS_NOT_REFUNDABLE', 'Some of these items cannot be refunded.', wrong);
  return wanted;
}
