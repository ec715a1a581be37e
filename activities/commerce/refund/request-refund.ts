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
import type { Db, Tx } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type {
  RequestedRefund,
  RefundRequestActivities,
} from '../../../workflows/commerce/refund/refund-request.contract';
import { claimFor, type ReturnedPart } from '../../../workflows/commerce/refund/refund-claim.rules';
import { isAnythingLeft, whyNotRefundable } from '../../../workflows/commerce/refund/refund.rules';
import { refusal } from '../../../workflows/errors';
import { requireOrder } from '../order/require-order';
import { wantedUnits } from './wanted-units';

type RequestRefund = Parameters<RefundRequestActivities['requestRefund']>[0];

const REFUSALS = {
  CANNOT_REFUND: 'Money is given back for orders that were shipped or delivered.',
  REFUND_PERIOD_EXPIRED: 'The time in which goods of this order may be given back is over.',
};

/**
 * Records a buyer's request for money of an order. The same request again is only read. Refused: ORDER_NOT_FOUND,
 * CANNOT_REFUND, REFUND_PERIOD_EXPIRED, REFUND_ALREADY_REQUESTED, VALIDATION_ERROR.
 */
export const requestRefund = (
  db: Db,
  policy: Pick<Policy, 'refundWindowDays'>,
  command: RequestRefund,
): Promise<RequestedRefund> => inTransaction(db, (tx) => requestRefundIn(tx, command, policy));

async function requestRefundIn(
  tx: Tx,
  command: RequestRefund,
  { refundWindowDays }: Pick<Policy, 'refundWindowDays'>,
): Promise<RequestedRefund> {
  const { refundRequestId: id, orderId, userId, at } = command;
  const order = await requireOrder(tx, orderId);
  const before = await keptRequest(tx, id);
  if (before) return requestedRefund(before, await partsOf(tx, id));
  if (order.userId !== userId) throw refusal('ORDER_NOT_FOUND', 'You have no such order.');

  const { lines, back, deliveredAt } = await returnableOf(tx, orderId);
  const obstacle = whyNotRefundable({ status: order.status, deliveredAt }, new Date(at), refundWindowDays);
  if (obstacle) throw refusal(obstacle, REFUSALS[obstacle]);
  if (await hasOpenRequest(tx, orderId))
    throw refusal('REFUND_ALREADY_REQUESTED', 'A request for money of this order is open already.');

  const returnable = { ...order, lines, back };
  if (!isAnythingLeft(returnable, await appliedCapture(tx, orderId)))
    throw refusal('CANNOT_REFUND', 'Nothing of this order is left to give back.');
  const claim = claimFor(returnable, wantedUnits(command, lines));
  if (claim.claimedMinor === 0) throw refusal('CANNOT_REFUND', 'Nothing was paid for these goods.');

  const reason = (await readNote(tx, command.reasonNoteId)).text ?? '';
  const description =
    command.descriptionNoteId === null ? null : (await readNote(tx, command.descriptionNoteId)).text;
  const { currency } = order;
  await keepRequest(tx, { ...claim, id, orderId, userId, reason, description, currency, at });
  return requestedRefund(
    { currency, requestedMinor: claim.claimedMinor, createdAt: new Date(at) },
    claim.parts,
  );
}

const requestedRefund = (
  { currency, requestedMinor, createdAt }: Pick<KeptRequest, 'currency' | 'requestedMinor' | 'createdAt'>,
  parts: readonly ReturnedPart[],
): RequestedRefund => ({
  requestedMinor,
  currency,
  createdAt: createdAt.toISOString(),
  items: parts.map(({ itemId, quantity, goodsMinor, taxMinor }) => ({
    itemId,
    quantity,
    amountMinor: goodsMinor + taxMinor,
  })),
});
