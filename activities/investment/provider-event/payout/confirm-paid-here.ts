import {
  changeParticipation,
  type LockedParticipation,
} from '../../../../db/investment/participation/participation.transitions';
import { paidHere } from '../../../../db/investment/provider-event/reported.reads';
import { confirmPayout } from '../../../../db/investment/provider-event/reported.transitions';
import type { Tx } from '../../../../db/sql/query';
import type { Effect } from '../effect';
import { Inapplicable, inWords } from '../../report/inapplicable';
import { goesOn, saysEnded } from './leaving';
import type { Payout } from './record-payout';

/** The refusal of a payout of an investment that was paid out before. */
export const paidOutBefore = (
  { externalId }: Pick<LockedParticipation, 'externalId'>,
  part = '',
): Inapplicable =>
  new Inapplicable(
    `It reports that ${part}the investment ${externalId} was paid out, which had been paid out already.`,
  );

/**
 * Confirms the payout that was made here of a participation that has ended; credits nothing. A person decides about a difference:
 * of all that left the participation, or of a penalty that the provider keeps beyond ours. A part is no confirmation.
 */
export async function confirmPaidHere(
  tx: Tx,
  participation: LockedParticipation,
  { event, amountMinor, penaltyMinor, confirmed, at }: Payout,
): Promise<Effect> {
  const { id, payoutExternalId, currency, externalId, endedAt } = participation;
  if (payoutExternalId !== null) throw paidOutBefore(participation);
  const paid = await paidHere(tx, id, event.occurredAt);
  const beyondMinor = amountMinor + penaltyMinor - paid.amountMinor - paid.penaltyMinor;
  const mayBePart = !saysEnded(event.data.status) && endedAt !== null && event.occurredAt < endedAt;
  if (beyondMinor < 0 && (goesOn(event.data.status) || mayBePart))
    throw paidOutBefore(participation, 'a part of ');
  await changeParticipation(tx, id, { payoutExternalId: event.data.externalId }, at);
  await confirmPayout(tx, id, event.data.externalId);
  const isSame = beyondMinor === 0 && penaltyMinor <= paid.penaltyMinor;
  const [reported, here] = [{ amountMinor, penaltyMinor }, paid].map(
    (sum) => `${inWords(sum.amountMinor, currency)} and a penalty of ${inWords(sum.penaltyMinor, currency)}`,
  );
  const toDecide = `It reports a payout of ${reported} of the investment ${externalId}, which was paid out here with ${here}.`;
  return { outcome: 'APPLIED', moved: null, toDecide: isSame || confirmed ? null : toDecide };
}
