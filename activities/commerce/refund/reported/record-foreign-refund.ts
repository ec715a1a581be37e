import { v7 } from 'uuid';
import { recordAudit } from '../../../../db/administration/audit/audit.writes';
import type { captureOf } from '../../../../db/commerce/payment/capture.reads';
import { recordUnbooked } from '../../../../db/commerce/reconciliation/late-arrival.writes';
import {
  refundOfRequest,
  unsentRefund,
} from '../../../../db/commerce/refund/reported/reported-refund.transitions';
import { refundNamed } from '../../../../db/commerce/refund/reported/settled-by-name.transitions';
import { returnableOf } from '../../../../db/commerce/refund/refund-request.reads';
import { storeRequest } from '../../../../db/commerce/refund/refund-request.transitions';
import { markAsked } from '../../../../db/commerce/refund/sending/refund-attempt.transitions';
import type { LockedOrder } from '../../../../db/commerce/order/order.transitions';
import type { Tx } from '../../../../db/sql/query';
import { amountInWords } from '../../../../workflows/commerce/money.rules';
import { isCancellable, orderStates } from '../../../../workflows/commerce/order/order.states';
import type { RefundReport } from '../../../../workflows/commerce/payment/payment-report.rules';
import { claimByAdministrator } from '../../../../workflows/commerce/refund/refund-claim.rules';
import { requireOrder } from '../../order/require-order';
import { carryOutApproval, mostRefundable, refundableOf, type Refundable } from '../carry-out-approval';
import { concludeSentRefund, requireRequest } from '../conclude-request';
import { bookCompletedRefund } from '../payment-refund/complete-refund';

/** A refund that nobody here has requested, of a recorded payment whose owner is locked. */
interface Foreign {
  provider: string;
  capture: NonNullable<Awaited<ReturnType<typeof captureOf>>>;
  report: RefundReport;
}

interface Recorded {
  outcome: 'APPLIED' | 'WITHOUT_EFFECT';
  /** Our refund that now stands for it; null: none does. */
  refundId: string | null;
  toDecide: string | null;
}

/**
 * Records money that a provider has sent back without us, as from its dashboard, once by the provider's id. Of a paid order it becomes
 * a refund of that amount: all of the price makes the order REFUNDED. Anything else is a difference with the provider, and a person
 * decides what it is for; so is all of it while a refund of ours is not sent, for which it may have been made, and while another payment's
 * refund is completed by its name.
 */
export async function recordForeignRefund(
  tx: Tx,
  foreign: Foreign,
  { again, at }: { again: boolean; at: string },
): Promise<Recorded> {
  const { provider, capture, report } = foreign;
  const nothing: Recorded = { outcome: 'WITHOUT_EFFECT', refundId: null, toDecide: null };
  // Until it is sent, it may still fail.
  if (report.status !== 'COMPLETED') return nothing;
  const unsent = await unsentRefund(tx, capture.id);
  const named = await refundNamed(tx, provider, report.providerRefundId);
  const order =
    capture.orderId !== null && capture.applied && unsent === null && named === null
      ? await requireOrder(tx, capture.orderId)
      : null;
  const refundable = order && (await refundableIn(tx, order, report));
  if (order && refundable) {
    const refundId = await refundInFull(tx, order, { refundable, report }, at);
    return { outcome: 'APPLIED', refundId, toDecide: null };
  }
  const { providerRefundId: providerId, amountMinor, currency } = report;
  const isNew = await recordUnbooked(
    tx,
    { provider, movementKind: 'REFUND', providerId, amountMinor, currency, ourId: null },
    new Date(at),
  );
  if (!isNew && !again) return nothing;
  return {
    ...nothing,
    outcome: isNew ? 'APPLIED' : 'WITHOUT_EFFECT',
    toDecide: `${provider} has sent back ${amountInWords(amountMinor, currency)} of payment ${report.paymentId} as ${providerId}, which nobody here has asked for, and which cannot be booked by itself. Find out what it is for; the difference is in GET /admin/reconciliation/differences. ${named === null ? '' : `Refund ${named} is completed by that name. `}${unsent === null ? '' : `If it was for refund ${unsent}, which is not sent, give that up and settle it by this reference (POST /admin/payment-refunds/${unsent}/settle). `}Then retry this.`,
  };
}

/** The order as far as this amount goes back of it; null unless all of the amount is from the payment and the order may be refunded. */
async function refundableIn(
  tx: Tx,
  order: LockedOrder,
  { amountMinor, currency }: RefundReport,
): Promise<(Refundable & { claim: ReturnType<typeof claimByAdministrator> }) | null> {
  if (order.paidAt === null || order.currency !== currency || !orderStates.canMove(order.status, 'REFUNDED'))
    return null;
  const returnable = { ...order, ...(await returnableOf(tx, order.id)) };
  const claim = claimByAdministrator(returnable, { wanted: new Map(), amountMinor, includeShipping: false });
  const refundable = await refundableOf(tx, order);
  const fits = amountMinor <= Math.min(refundable.money.methodMinor, mostRefundable(refundable, claim));
  return fits ? { ...refundable, claim } : null;
}

/** Refunds the amount as an administrator would, and books it as sent. Returns the id of the refund. */
async function refundInFull(
  tx: Tx,
  order: LockedOrder,
  {
    refundable,
    report,
  }: { refundable: NonNullable<Awaited<ReturnType<typeof refundableIn>>>; report: RefundReport },
  at: string,
): Promise<string> {
  const { claim } = refundable;
  const { providerRefundId, amountMinor } = report;
  const [id, noteId] = [v7(), v7()];
  const { id: orderId, userId, currency } = order;
  const [reason, description] = ['Refunded at the payment provider.', null];
  await storeRequest(tx, { ...claim, id, orderId, userId, byShop: true, reason, description, currency, at });
  await carryOutApproval(tx, order, refundable, {
    request: await requireRequest(tx, id),
    ...{ parts: [], claim, amountMinor, restock: isCancellable(order.status) },
    note: { actorId: null, text: reason },
    ...{ noteId, at },
  });
  const refundId = await refundOfRequest(tx, id);
  await markAsked(tx, { id: refundId, sendings: 1 }, new Date(at));
  await concludeSentRefund(tx, await bookCompletedRefund(tx, refundId, providerRefundId, at), at);
  const { status, paymentStatus, refundedMinor } = order;
  await recordAudit(tx, {
    ...{ actorId: null, clientAddress: null, at: new Date(at) },
    ...{ action: 'order.refund', entityId: orderId },
    previous: { status, paymentStatus, refundedMinor, currency },
    next: { refundRequestId: id, amountMinor, reason, providerRefundId },
  });
  return refundId;
}
