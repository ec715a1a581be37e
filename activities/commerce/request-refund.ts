import { readNote } from '../../db/administration/request-note.writes';
import { appliedCapture } from '../../db/commerce/capture.transitions';
import { returnableOf } from '../../db/commerce/refund-request.reads';
import {
  hasOpenRequest,
  keepRequest,
  keptRequest,
  partsOf,
  type KeptRequest,
} from '../../db/commerce/refund-request.transitions';
import type { Tx } from '../../db/sql';
import type {
  RefundAsked,
  RefundRequestActivities,
  RefundWish,
} from '../../workflows/commerce/refund-request.contract';
import {
  allThatIsLeft,
  claimFor,
  isAnythingLeft,
  whyNotRefundable,
  type ReturnableLine,
  type ReturnedPart,
} from '../../workflows/commerce/refund.rules';
import { refusal, type RefusalDetails } from '../../workflows/errors';
import { requireOrder } from './place-order';

type Asking = Parameters<RefundRequestActivities['requestRefund']>[0];

const WORDS = {
  CANNOT_REFUND: 'Money is given back for orders that were shipped or delivered.',
  REFUND_PERIOD_EXPIRED: 'The time in which goods of this order may be given back is over.',
};

/** Asks money back in the caller's transaction. The same wish again is only read. */
export async function requestRefundIn(tx: Tx, wish: Asking): Promise<RefundAsked> {
  const { refundRequestId: id, orderId, userId, at } = wish;
  const order = await requireOrder(tx, orderId);
  const before = await keptRequest(tx, id);
  if (before) return askedOf(before, await partsOf(tx, id));
  if (order.userId !== userId) throw refusal('ORDER_NOT_FOUND', 'You have no such order.');

  const { lines, deliveredAt } = await returnableOf(tx, orderId);
  const hindrance = whyNotRefundable({ status: order.status, deliveredAt }, new Date(at));
  if (hindrance) throw refusal(hindrance, WORDS[hindrance]);
  if (await hasOpenRequest(tx, orderId))
    throw refusal('REFUND_ALREADY_REQUESTED', 'A request for money of this order is open already.');

  const returnable = { ...order, lines };
  if (!isAnythingLeft(returnable, await appliedCapture(tx, orderId)))
    throw refusal('CANNOT_REFUND', 'Nothing of this order is left to give back.');
  const claim = claimFor(returnable, wantedOf(wish, lines));
  if (claim.claimedMinor === 0) throw refusal('CANNOT_REFUND', 'Nothing was paid for these goods.');

  const reason = (await readNote(tx, wish.reasonNoteId)).text ?? '';
  const description =
    wish.descriptionNoteId === null ? null : (await readNote(tx, wish.descriptionNoteId)).text;
  const { currency } = order;
  await keepRequest(tx, { ...claim, id, orderId, userId, reason, description, currency, at });
  return askedOf({ currency, requestedMinor: claim.claimedMinor, createdAt: new Date(at) }, claim.parts);
}

const askedOf = (
  { currency, requestedMinor, createdAt }: Pick<KeptRequest, 'currency' | 'requestedMinor' | 'createdAt'>,
  parts: readonly ReturnedPart[],
): RefundAsked => ({
  requestedMinor,
  currency,
  createdAt: createdAt.toISOString(),
  items: parts.map(({ itemId, quantity, goodsMinor, taxMinor }) => ({
    itemId,
    quantity,
    amountMinor: goodsMinor + taxMinor,
  })),
});

/** How many of which line are given back. Refused: VALIDATION_ERROR, naming what the order has not, or not any more. */
function wantedOf(
  { itemIds, items }: Pick<RefundWish, 'itemIds' | 'items'>,
  lines: readonly ReturnableLine[],
): Map<string, number> {
  const left = allThatIsLeft({ lines });
  if (itemIds === null && items === null) return left;
  const wanted = new Map<string, number>();
  const wrong: RefusalDetails = {};
  const take = (field: string, itemId: string): number => {
    const there = left.get(itemId) ?? 0;
    if (!left.has(itemId)) wrong[field] = ['is no item of this order'];
    else if (wanted.has(itemId)) wrong[field] = ['names an item that is named already'];
    else if (there === 0) wrong[field] = ['was given back already'];
    else wanted.set(itemId, there);
    return there;
  };
  itemIds?.forEach((itemId, index) => take(`itemIds.${index}`, itemId));
  items?.forEach(({ itemId, quantity }, index) => {
    const there = take(`items.${index}.itemId`, itemId);
    if (`items.${index}.itemId` in wrong) return;
    if (quantity > there) wrong[`items.${index}.quantity`] = [`must be at most ${there}, which are left`];
    wanted.set(itemId, quantity);
  });
  if (Object.keys(wrong).length > 0)
    throw refusal('VALIDATION_ERROR', 'Not all of this can be given back.', wrong);
  return wanted;
}
