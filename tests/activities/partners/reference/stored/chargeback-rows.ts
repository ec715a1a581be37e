import { v7 } from 'uuid';
import { chargebackEvent } from '../../../../support/builders/partnering/sold-orders';
import type { RandomWorld } from '../random-world';
import { announce, type Rows, type StoredWorld } from './world-rows';

/** Announces the lost chargebacks of a world, and the returns of some. */
export function chargeBack(
  rowsOf: Rows,
  stored: StoredWorld,
  { chargebacks }: RandomWorld,
  userId: string,
): void {
  for (const [index, { of, minor: amountMinor, month, returnedMonth, isReturned }] of chargebacks.entries()) {
    const [chargebackId, sourceId] = [v7(), stored.sources.get(of)!];
    const participationId = stored.participationIds.get(of);
    const kind = of.startsWith('order') ? { orderId: sourceId } : { entranceId: sourceId };
    const what = participationId === undefined ? kind : { participationId };
    const chargeback = { chargebackId, userId, amountMinor };
    const [entityId, subject] = [participationId ?? sourceId, chargebackId];
    const lost = chargebackEvent('chargeback.lost', chargeback, what);
    const at = new Date(`${month}-28T12:00:00Z`);
    announce(rowsOf, stored, `lost ${index}`, { event: lost, subject, entityId, at });
    if (!isReturned) continue;
    const returned = chargebackEvent('chargeback.returned', chargeback, what);
    const returnedAt = new Date(`${returnedMonth}-28T13:00:00Z`);
    announce(rowsOf, stored, `returned ${index}`, { event: returned, subject, entityId, at: returnedAt });
  }
}

/** Adds what a refund was paid with that a lost chargeback has paid, of a payment of its own. */
export function payRefund(
  rowsOf: Rows,
  {
    orderId: order_id,
    refundRequestId: refund_request_id,
    amountMinor: amount_minor,
    at,
  }: { orderId: string; refundRequestId: string | null; amountMinor: number; at: Date },
): void {
  const [capture_id, chargeback_id] = [v7(), v7()];
  const money = { order_id, amount_minor, currency: 'USD' };
  rowsOf.payment_captures.push({
    ...{ id: capture_id, provider: 'bank', provider_payment_id: capture_id, ...money, applied: false },
    ...{ captured_at: at, refunded_minor: amount_minor, charged_back_minor: amount_minor },
    refunds_charged_back_minor: amount_minor,
  });
  rowsOf.chargebacks.push({
    ...{ id: chargeback_id, capture_id, provider: 'bank', provider_chargeback_id: chargeback_id, ...money },
    ...{ status: 'LOST', created_at: at, updated_at: at },
  });
  rowsOf.payment_refunds.push({
    ...{ id: v7(), capture_id, refund_request_id, ...money, chargeback_id, status: 'CHARGED_BACK' },
    ...{ reason: refund_request_id === null ? 'CANCELLATION' : 'REFUND', created_at: at, completed_at: at },
  });
}
