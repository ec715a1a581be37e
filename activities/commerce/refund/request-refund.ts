import { readNote } from '../../../db/administration/idempotency/request-note.writes';
import { appliedCapture } from '../../../db/commerce/payment/capture.transitions';
import { hasOpenRequest, returnableOf } from '../../../db/commerce/refund/refund-request.reads';
import {
  storeRequest,
  storedRequest,
  partsOf,
  type StoredRequest,
} from '../../../db/commerce/refund/refund-request.transitions';
import type { Policy } from '../../../db/policy/config';
import type { Db, Tx } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type {
  RequestedRefund,
  RefundRequestActivities,
} from '../../../workflows/commerce/refund/refund-request.contract';
import type { ReturnedPart } from '../../../workflows/commerce/refund/refund-claim.rules';
import { requestedClaim } from '../../../workflows/commerce/refund/requested-claim';
import { refusal } from '../../../workflows/errors';
import { requireOrder } from '../order/require-order';

type RequestRefund = Parameters<RefundRequestActivities['requestRefund']>[0];

/**
 * Records a buyer's request for money of an order. The same request again is only read. Refused: ORDER_NOT_FOUND,
 * CANNOT_REFUND, REFUND_PERIOD_EXPIRED, REFUND_ALREADY_REQUESTED, VALIDATION_ERROR.
 */
export const requestRefund = (
  { db, policy }: { db: Db; policy: Pick<Policy, 'refundWindowDays'> },
  command: RequestRefund,
): Promise<RequestedRefund> => inTransaction(db, (tx) => requestRefundIn(tx, command, policy));

async function requestRefundIn(
  tx: Tx,
  command: RequestRefund,
  { refundWindowDays }: Pick<Policy, 'refundWindowDays'>,
): Promise<RequestedRefund> {
  const { refundRequestId: id, orderId, userId, at } = command;
  const order = await requireOrder(tx, orderId);
  const before = await storedRequest(tx, id);
  if (before) return requestedRefund(before, await partsOf(tx, id));
  if (order.userId !== userId) throw refusal('ORDER_NOT_FOUND');

  const returnable = {
    ...order,
    ...(await returnableOf(tx, orderId)),
    hasOpenRefundRequest: await hasOpenRequest(tx, orderId),
    capture: await appliedCapture(tx, orderId),
  };
  const claim = requestedClaim(returnable, command, new Date(at), refundWindowDays);

  const reason = (await readNote(tx, command.reasonNoteId)).text ?? '';
  const description =
    command.descriptionNoteId === null ? null : (await readNote(tx, command.descriptionNoteId)).text;
  const { currency } = order;
  await storeRequest(tx, { ...claim, id, orderId, userId, byShop: false, reason, description, currency, at });
  return requestedRefund(
    { currency, requestedMinor: claim.claimedMinor, createdAt: new Date(at) },
    claim.parts,
  );
}

const requestedRefund = (
  { currency, requestedMinor, createdAt }: Pick<StoredRequest, 'currency' | 'requestedMinor' | 'createdAt'>,
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
