import { v7 } from 'uuid';
import { chargebackEvent } from '../../../../support/builders/partnering/sold-orders';
import type { RandomWorld } from '../random-world';
import { announce, type Rows, type StoredWorld } from './world-rows';

/** Announces the lost chargebacks of a world, the returns of some, and what they pay later of refunds. */
export function chargeBack(
  rowsOf: Rows,
  stored: StoredWorld,
  { chargebacks, repayments }: RandomWorld,
  userId: string,
): void {
  for (const [index, drawn] of chargebacks.entries()) {
    const { of, minor: amountMinor, month, returnedMonth, isReturned } = drawn;
    const [chargebackId, sourceId] = [v7(), stored.sources.get(of)!];
    const participationId = stored.participationIds.get(of);
    // Of refunds that nobody gives up.
    const refundsOwed = [{ refundRequestId: v7(), amountMinor: drawn.owedAgain }];
    const kind = of.startsWith('order') ? { orderId: sourceId } : { entranceId: sourceId };
    const what = participationId === undefined ? kind : { participationId };
    const chargeback = { chargebackId, userId, amountMinor };
    const [entityId, subject] = [participationId ?? sourceId, chargebackId];
    const lost = chargebackEvent('chargeback.lost', chargeback, what);
    const at = new Date(`${month}-28T12:00:00Z`);
    announce(rowsOf, stored, `lost ${index}`, { event: lost, subject, entityId, at });
    if (!isReturned) continue;
    const returned = chargebackEvent('chargeback.returned', { ...chargeback, refundsOwed }, what);
    const returnedAt = new Date(`${returnedMonth}-28T13:00:00Z`);
    announce(rowsOf, stored, `returned ${index}`, { event: returned, subject, entityId, at: returnedAt });
  }
  for (const [index, { order, minor: amountMinor, month }] of repayments.entries()) {
    const [orderId, endingId] = [stored.sources.get(`order ${order}`)!, v7()];
    const event = {
      type: 'refund.charged_back',
      ...{ orderId, refundRequestId: v7(), endingId, amountMinor, currency: 'USD' },
    } as const;
    const at = new Date(`${month}-28T14:00:00Z`);
    announce(rowsOf, stored, `repaid ${index}`, { event, subject: endingId, entityId: orderId, at });
  }
}
