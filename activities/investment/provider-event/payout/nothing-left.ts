import {
  moveParticipation,
  type LockedParticipation,
} from '../../../../db/investment/participation/participation.transitions';
import { latestPart } from '../../../../db/investment/provider-event/reported.reads';
import { countEnded } from '../../../../db/investment/strategy/strategy-capacity.transitions';
import type { Tx } from '../../../../db/sql/query';
import { participationLostLetter } from '../../../../workflows/investment/provider-event/provider-event.letters';
import { principalMinor } from '../../participation/pay-out-participation';
import { endTime } from '../../../../db/investment/transaction/investment-transaction.transitions';
import { queueParticipationMail, withdrawPartMail } from '../../participation/queue-participation-mail';

/**
 * Ends a locked participation that a loss, just recorded, has left nothing, if its latest part was paid out at the time of the
 * loss or later: that payout was all that was left, and only came before the loss was reported. True if it was ended. Its
 * owner gets one mail about all that was paid out, and none about the part if that has not gone.
 */
export async function endIfNothingLeft(
  tx: Tx,
  participation: LockedParticipation,
  { lostAt, at }: { lostAt: Date; at: Date },
): Promise<boolean> {
  const { id, strategyId, status, earnedMinor, withdrawnMinor } = participation;
  const left = principalMinor(participation);
  if (status !== 'ACTIVE' || withdrawnMinor === 0 || left + earnedMinor > 0) return false;
  const part = await latestPart(tx, id);
  if (part === null || part.occurredAt < lostAt) return false;
  const end = {
    endedAt: await endTime(tx, id, at),
    payoutReportedAt: part.occurredAt,
    payoutExternalId: part.externalId,
  };
  await moveParticipation(tx, participation, 'WITHDRAWN', end, at);
  await countEnded(tx, strategyId, left);
  await withdrawPartMail(tx, id, at);
  await queueParticipationMail(tx, id, 'paid-out', (data) => participationLostLetter(data, part));
  return true;
}
