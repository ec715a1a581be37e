import type { Tx } from '../../../db/sql/query';
import { refOf, type PayableKey } from '../../../workflows/commerce/payable/payable.rules';
import { lockEntranceToPay } from './entrance-payable';
import { lockOrderToPay } from './order-payable';
import { lockParticipationToPay } from './participation-payable';
import type { Payable } from './payable';
import { lockTopUpToPay } from './top-up-payable';

/** Locks what a row of payments, or the payload of a process, belongs to. A further kind is a further line. */
export function lockPayable(tx: Tx, key: PayableKey): Promise<Payable> {
  const ref = refOf(key);
  if (ref.orderId !== undefined) return lockOrderToPay(tx, ref.orderId);
  if (ref.participationId !== undefined) return lockParticipationToPay(tx, ref.participationId);
  if (ref.entranceId !== undefined) return lockEntranceToPay(tx, ref.entranceId);
  return lockTopUpToPay(tx, ref.topUpId);
}
