import {
  giveUpEvent,
  lockEvent,
  markTaken,
  type QueuedEvent,
} from '../../../db/partners/event/commission-event.transitions';
import type { Policy } from '../../../db/policy/config';
import type { Db, Tx } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { countPartner } from '../network/count-partner';
import { raiseFrom } from '../rank/raise-from';
import {
  countEntrance,
  countInvestment,
  countOrder,
  countProfit,
  type Entrance,
  type EventRow,
  type Movement,
} from './count-event';
import type { Counting } from './counting';
import { takeBackEntrance } from './take-back-entrance';
import { takeBackSale } from './take-back-sale';

/**
 * Takes one event, in one transaction with all that follows from it. A refund or a chargeback takes first what it depends on,
 * and is given up with it. Answers false if the event is taken already, is being taken, or is given up.
 */
export async function takeEvent(db: Db, policy: Policy, id: string, at = new Date()): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const locked = await lockEvent(tx, id);
    const events = locked.filter(({ takenAt }) => takenAt === null);
    if (events.length === 0) return false;
    if (locked.some(({ givenUpAt }) => givenUpAt !== null)) {
      await giveUpEvent(tx, id);
      return false;
    }
    const counting: Counting = { at, pendingDays: policy.commissionPendingDays };
    for (const event of events) {
      await count(tx, event, counting);
      await markTaken(tx, event.id, at);
    }
    return true;
  });
}

function count(
  tx: Tx,
  { id, type, entityId, data, occurredAt }: QueuedEvent,
  counting: Counting,
): Promise<void> {
  const row = { eventId: id, occurredAt };
  switch (type) {
    case 'order.paid':
      return countOrder(tx, { ...row, orderId: entityId }, counting);
    case 'refund.completed':
      return takeBackSale(tx, { ...row, kind: 'REFUND', entityId }, counting);
    case 'refund.charged_back':
      return takeBackSale(tx, { ...row, kind: 'RETURN', entityId }, counting);
    case 'chargeback.lost':
    case 'chargeback.returned':
      return takeBackChargeback(tx, { ...(data as unknown as Chargeback), ...row, type, entityId }, counting);
    case 'investment.created':
      return countInvestment(tx, { ...(data as unknown as Movement), ...row }, counting);
    case 'profit.distributed':
      return countProfit(tx, { ...(data as unknown as Movement), ...row }, counting);
    case 'partner.joined':
      return countPartner(tx, { ...row, partnerId: entityId }, counting);
    case 'partner.activated':
    case 'partner.ranked':
      return raiseFrom(tx, { ...row, partnerId: entityId }, counting);
    case 'entrance.paid':
      return countEntrance(tx, { ...(data as unknown as Entrance), ...row }, counting);
    case 'kyc.submitted':
    case 'kyc.approved':
    case 'kyc.rejected':
    case 'kyc.expired':
      throw new Error(`Events of type ${type} are not of the partner programme.`);
  }
}

/** A chargeback that was lost or returned, as it was announced; `entranceId` if it is of an entrance fee. */
interface Chargeback extends EventRow {
  type: 'chargeback.lost' | 'chargeback.returned';
  entityId: string;
  entranceId?: string;
  amountMinor: number;
}

function takeBackChargeback(
  tx: Tx,
  { type, eventId, occurredAt, entityId, entranceId, amountMinor }: Chargeback,
  counting: Counting,
): Promise<void> {
  const [row, restores] = [{ eventId, occurredAt }, type === 'chargeback.returned'];
  if (entranceId !== undefined)
    return takeBackEntrance(tx, { ...row, entranceId, amountMinor, restores }, counting);
  return takeBackSale(tx, { ...row, kind: restores ? 'RETURN' : 'CHARGEBACK', entityId }, counting);
}
