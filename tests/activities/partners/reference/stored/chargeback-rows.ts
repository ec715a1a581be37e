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
