import type { DeliveredEvent } from '../../../db/administration/domain-event/event-delivery.transitions';
import { lockCauses } from '../../../db/partners/event/event-cause.transitions';
import type { Policy } from '../../../db/policy/config';
import type { Tx } from '../../../db/sql/query';
import type { Effect } from '../../administration/domain-event/effect';
import { countPartner } from './count-partner';
import { raiseFrom } from './raise-from';
import {
  countEntrance,
  countInvestment,
  countOrder,
  countProfit,
  type Entrance,
  type EventRow,
  type Movement,
} from '../commission/count-event';
import type { Counting } from '../counting/counting';
import { takeBackEntrance } from '../commission/take-back-entrance';
import { takeBackSale } from '../commission/take-back-sale';

/**
 * Counts an event for the partner programme, with all that follows from it. One that takes back a part of a sale is given up with
 * the sale.
 */
export const commissionEffect =
  (policy: Policy): Effect =>
  async (tx, event, at) => {
    const givenUp = await lockCauses(tx, event);
    if (givenUp === null) await count(tx, event, { at, pendingDays: policy.commissionPendingDays });
    return givenUp;
  };

function count(
  tx: Tx,
  { id, type, entityId, data, occurredAt }: DeliveredEvent,
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
