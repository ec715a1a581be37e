import { hasPagesLeft } from '../../../db/commerce/payment/newest-attempt.reads';
import type { Entrance } from '../../../db/partners/membership/entrance.reads';
import type { Db } from '../../../db/sql/query';
import { moneyLabel } from '../../../workflows/commerce/order/order-label.rules';
import type { EntranceState } from '../../../workflows/partners/membership/entrance.contract';

/** The state of an entrance fee for its process. */
export async function entranceStateOf(db: Db, entrance: Entrance): Promise<EntranceState> {
  const { id: entranceId, status, paymentExpiresAt } = entrance;
  if (status === 'PAID') return joinedState(db, entrance);
  return { entranceId, status, payBy: paymentExpiresAt.toISOString(), label: moneyLabel(entrance) };
}

/** The state of a user who is a partner; `entrance`: their newest entrance fee, null without one. */
export async function joinedState(db: Db, entrance: Pick<Entrance, 'id'> | null): Promise<EntranceState> {
  const isPageLeft = entrance !== null && (await hasPagesLeft(db, { entranceId: entrance.id }));
  return { status: 'JOINED', ...(isPageLeft && { pageLeftOf: entrance.id }) };
}
