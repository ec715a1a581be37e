import { startDetached } from '../../kit/proxies';
import { notify } from '../../kit/signals';
import {
  participationPaymentReported,
  participationProcess,
} from '../../investment/participation/participation.contract';
import { entrancePaymentReported, entranceProcess } from '../../partners/membership/entrance.contract';
import { handOver, wakeCheckout } from '../checkout/hand-over';
import { topUpPaymentReported, topUpProcess } from '../../ledger/top-up/top-up.contract';
import type { PayableRef } from '../payable/payable.rules';

/**
 * Makes the process of what was paid for read its state again; that of a participation is started anew where it has ended
 * or was lost, since nothing else would see its maturity. `isToFulfil`: it is an order that is paid, whose goods have to
 * be sent whether or not its checkout runs.
 */
export async function tellPayable(
  payable: PayableRef & { userId: string; label: string },
  { isToFulfil }: { isToFulfil: boolean },
): Promise<void> {
  const { orderId, participationId, entranceId, topUpId, userId, label } = payable;
  if (entranceId !== undefined) {
    await notify(entranceProcess, { userId }, entrancePaymentReported);
    return;
  }
  if (topUpId !== undefined) {
    await notify(topUpProcess, { topUpId }, topUpPaymentReported);
    return;
  }
  if (orderId === undefined) {
    const isFollowed = await notify(participationProcess, { participationId }, participationPaymentReported);
    if (!isFollowed)
      await startDetached(participationProcess, { participationId, userId, label, exists: true });
    return;
  }
  const order = { orderId, userId, label };
  await (isToFulfil ? handOver(order) : wakeCheckout(order));
}
