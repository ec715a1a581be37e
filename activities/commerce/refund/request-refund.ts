import { readNote } from '../../../db/administration/idempotency/request-note.writes';
import { appliedCapture } from '../../../db/commerce/payment/capture.transitions';
import { hasOpenRequest, returnableOf } from '../../../db/commerce/refund/refund-request.reads';
import {
  keepRequest,
  keptRequest,
  partsOf,
  type KeptRequest,
} from '../../../db/commerce/refund/refund-request.transitions';
import type { Policy } from '../../../db/policy/config';
import type { Tx } from '../../../db/sql/query';
import type {
  RefundAsked,
  RefundRequestActivities,
} from '../../../workflows/commerce/refund/refund-request.contract';
import { claimFor, type ReturnedPart } from '../../../workflows/commerce/refund/refund-claim.rules';
import { isAnythingLeft, whyNotRefundable } from '../../../workflows/commerce/refund/refund.rules';
import { refusal } from '../../../workflows/errors';
import { requireOrder } from '../order/require-order';
import { wantedOf } from './wanted-pieces';

type Asking = Parameters<RefundRequestActivities['requestRefund']>[0];

const WORDS = {
  CANNOT_REFUND: 'Money is given back for orders that were shipped or delivered.',
  REFUND_PERIOD_EXPIRED: 'The time in which goods of this order may be given back is over.',
};

/** Asks money back in the caller's transaction. The same request again is only read. */
export async function requestRefundIn(
  tx: Tx,
  wish: Asking,
  { refundWindowDays }: Pick<Policy, 'refundWindowDays'>,
): Promise<RefundAsked> {
  const { refundRequestId: id, orderId, userId, at } = wish;
  const order = await requireOrder(tx, orderId);
  const before = await keptRequest(tx, id);
  if (before) return askedOf(before, await partsOf(tx, id));
  if (order.userId !== userId) throw refusal('ORDER_NOT_FOUND', 'You have no such order.');

  const { lines, back, deliveredAt } = await returnableOf(tx, orderId);
  const hindrance = whyNotRefundable({ status: order.status, deliveredAt }, new Date(at), refundWindowDays);
  if (hindrance) throw refusal(hindrance, WORDS[hindrance]);
  if (await hasOpenRequest(tx, orderId))
    throw refusal('REFUND_ALREADY_REQUESTED', 'A request for money of this order is open already.');

  const returnable = { ...order, lines, back };
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
