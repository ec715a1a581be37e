import type { Entrance } from '../../../db/partners/membership/entrance.reads';
import { moneyLabel } from '../../../workflows/commerce/order/order-label.rules';
import type { EntranceState } from '../../../workflows/partners/membership/entrance.contract';

/** The state of an entrance fee for its process. */
export function entranceStateOf(entrance: Entrance): EntranceState {
  const { id: entranceId, status, paymentExpiresAt } = entrance;
  if (status === 'PAID') return { status: 'JOINED' };
  return { entranceId, status, payBy: paymentExpiresAt.toISOString(), label: moneyLabel(entrance) };
}
