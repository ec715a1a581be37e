import { isMoneyReturned } from '../../../db/commerce/refund/sending/schedule-refund.transitions';
import { closeAttempts } from '../../../db/commerce/payment/payment-attempt.transitions';
import {
  moveParticipation,
  type LockedParticipation,
} from '../../../db/investment/participation/participation.transitions';
import { releaseCapacity } from '../../../db/investment/strategy/strategy-capacity.transitions';
import type { Tx } from '../../../db/sql/query';
import { participationUnpaidLetter } from '../../../workflows/investment/participation/participation.letters';
import { queueParticipationMail, withdrawTransferMail } from './queue-participation-mail';

/**
 * Gives up a locked participation that was not paid in time, in the caller's transaction; its capacity is free again, and
 * its attempts to pay are closed.
 */
export async function cancelUnpaidParticipation(
  tx: Tx,
  participation: LockedParticipation,
  { at }: { at: string },
): Promise<void> {
  const now = new Date(at);
  const ref = { participationId: participation.id };
  const paymentStatus = (await isMoneyReturned(tx, ref)) ? 'REFUNDED' : 'FAILED';
  await moveParticipation(tx, participation, 'CANCELLED', { paymentStatus, endedAt: now }, now);
  await closeAttempts(tx, ref, 'EXPIRED', at);
  await releaseCapacity(tx, participation.strategyId, participation.amountMinor);
  await withdrawTransferMail(tx, participation.id);
  await queueParticipationMail(tx, participation.id, 'unpaid', participationUnpaidLetter);
}
