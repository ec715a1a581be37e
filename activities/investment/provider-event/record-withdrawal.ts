import { v7 } from 'uuid';
import {
  bookFromProvider,
  bookPaidOut,
  owedMinor,
} from '../../../db/investment/participation/participation-ledger.transitions';
import {
  changeParticipation,
  moveParticipation,
  type LockedParticipation,
} from '../../../db/investment/participation/participation.transitions';
import { countEnded, releaseCapacity } from '../../../db/investment/strategy/strategy-capacity.transitions';
import type { Tx } from '../../../db/sql/query';
import {
  participationPaidOutLetter,
  participationPartPaidOutLetter,
} from '../../../workflows/investment/provider-event/provider-event.letters';
import { penaltyTime } from '../../../workflows/investment/participation/report-bounds.rules';
import { principalMinor } from '../participation/pay-out-participation';
import { queueDailyMail, queueParticipationMail } from '../participation/queue-participation-mail';
import { isIncludedInEnd, lockWithOwner, NOTHING, unknownParticipation, type Effect } from './effect';
import { Inapplicable, inWords } from '../report/inapplicable';
import {
  requireCreditable,
  requireFewMovements,
  requirePenaltyWithin,
  shortage,
  type Applying,
} from './payout/bounds';
import { reportedEnd } from '../../../db/investment/provider-event/reported.reads';
import { endTime } from '../../../db/investment/transaction/investment-transaction.transitions';
import { confirmPaidHere, paidOutBefore } from './payout/confirm-paid-here';
import { isKnownPayout } from './payout/known-payout';
import { goesOn, isPartOf, paidAndKept, saysEnded } from './payout/leaving';
import { unpaidWords } from './payout/left-unpaid';
import { recordPayout, type Payout, type Withdrawn } from './payout/record-payout';

/**
 * Records what a provider has paid out: the end of a participation, a part of one that goes on, or the confirmation of what
 * was paid out here already. The money goes to the wallet. The penalty stays with the provider. The owner gets a mail, but not about
 * a confirmation: one was sent when it was paid out.
 */
export async function recordWithdrawal(tx: Tx, event: Withdrawn, applying: Applying): Promise<Effect> {
  const { provider, data } = event;
  const participation = await lockWithOwner(tx, provider, data.investmentExternalId);
  if (!participation) return unknownParticipation(data.investmentExternalId);
  const { currency, status } = participation;
  const payout: Payout = {
    ...applying,
    ...{ event, occurredAt: event.occurredAt, transactionId: v7() },
    ...{ termsAt: penaltyTime(event, applying.policy.eventPatienceDays) },
    ...paidAndKept(data, currency),
  };
  if (await isKnownPayout(tx, participation, { ...payout, externalId: data.externalId })) return NOTHING;
  if (status === 'ACTIVE')
    return isPartOf(participation, payout)
      ? payOutPart(tx, participation, payout)
      : payOutAll(tx, participation, payout);
  if (participation.payoutReportedAt === null) return confirmPaidHere(tx, participation, payout);
  if (!(await isLatePart(tx, participation, payout))) throw paidOutBefore(participation);
  return payOutLatePart(tx, participation, payout);
}

/**
 * True for a part that was paid out before the end that its provider has reported: one that says so, one of no more than that
 * end left unpaid, and one that a person has confirmed. Any other would pay again what the end paid.
 */
async function isLatePart(tx: Tx, participation: LockedParticipation, payout: Payout): Promise<boolean> {
  const { event, amountMinor, penaltyMinor, confirmed } = payout;
  const isBefore = isIncludedInEnd(participation, event.occurredAt);
  if (amountMinor + penaltyMinor === 0 || saysEnded(event.data.status) || !isBefore) return false;
  if (goesOn(event.data.status) || confirmed) return true;
  const leftMinor = (await reportedEnd(tx, participation.id))?.leftMinor ?? 0;
  return amountMinor + penaltyMinor <= leftMinor;
}

const tooShort = ({ currency, externalId }: LockedParticipation, amountMinor: number, leastMinor: number) =>
  `It pays out ${inWords(amountMinor, currency)}, less than the ${inWords(leastMinor, currency)} that the investment ${externalId} holds`;

/**
 * Chosen: a payout that does not cover the principal is complete only after a loss or a part that its provider has yet to
 * report. One that covers it ends the participation; where returns are missing a person is told, who asks the provider.
 */
async function payOutAll(tx: Tx, participation: LockedParticipation, payout: Payout): Promise<Effect> {
  const { id, strategyId, userId, currency } = participation;
  const { event, amountMinor } = payout;
  const at = await endTime(tx, id, payout.at);
  const short = shortage(participation, payout, payout);
  if (short?.waits) {
    const words = tooShort(participation, amountMinor, short.leastMinor);
    const reason = `${words}: a loss or a part has yet to be reported, or a person has to confirm it.`;
    return { outcome: 'WAITING', reason, waitsFor: event.data.investmentExternalId };
  }
  const principal = principalMinor(participation);
  // Principal was paid here, or counted when its provider reported it; profits were counted with theirs.
  const known = Math.max(0, participation.earnedMinor) + principal;
  if (amountMinor > 0) await requireCreditable(tx, participation, amountMinor - known, payout);
  await moveParticipation(
    tx,
    participation,
    'WITHDRAWN',
    { endedAt: at, payoutReportedAt: event.occurredAt, payoutExternalId: event.data.externalId },
    at,
  );
  await recordPayout(tx, participation, { ...payout, at });
  await countEnded(tx, strategyId, principal);
  await bookPaidOut(
    tx,
    participation,
    { owedMinor: owedMinor(participation), penaltyMinor: 0 },
    {
      reference: { kind: 'participation-payout', subjectId: id },
      to: [{ account: 'wallet', userId, currency, amountMinor }],
      at,
    },
  );
  await queueParticipationMail(tx, id, 'paid-out', (data) => participationPaidOutLetter(data, payout));
  const toDecide =
    short && unpaidWords(participation, { paidMinor: amountMinor, heldMinor: short.leastMinor });
  return { outcome: 'APPLIED', moved: participation, toDecide };
}

/** Chosen: a part that is paid out while the rest goes on is principal. */
async function payOutPart(tx: Tx, participation: LockedParticipation, payout: Payout): Promise<Effect> {
  const { id, strategyId, userId, currency } = participation;
  const { amountMinor, transactionId, at } = payout;
  const part = await requirePart(tx, participation, payout);
  await requireCreditable(tx, participation, amountMinor - part, payout);
  await recordPayout(tx, participation, payout);
  const withdrawnMinor = participation.withdrawnMinor + part;
  await changeParticipation(tx, id, { withdrawnMinor }, at);
  await releaseCapacity(tx, strategyId, part);
  const noMoreOwed = owedMinor(participation) - owedMinor({ ...participation, withdrawnMinor });
  await bookPaidOut(
    tx,
    participation,
    { owedMinor: noMoreOwed, penaltyMinor: 0 },
    {
      reference: { kind: 'provider-payout', subjectId: transactionId },
      to: [{ account: 'wallet', userId, currency, amountMinor }],
      at,
    },
  );
  await queuePartMail(tx, id, payout);
  return { outcome: 'APPLIED', moved: null };
}

/** A part that was paid out before the end that its provider has reported already: what came then was without it. */
async function payOutLatePart(tx: Tx, participation: LockedParticipation, payout: Payout): Promise<Effect> {
  const { amountMinor, transactionId, at } = payout;
  const part = await requirePart(tx, participation, payout);
  await requireCreditable(tx, participation, amountMinor, payout);
  await recordPayout(tx, participation, payout);
  const withdrawnMinor = participation.withdrawnMinor + part;
  await changeParticipation(tx, participation.id, { withdrawnMinor }, at);
  await bookFromProvider(tx, participation, {
    reference: { kind: 'provider-payout', subjectId: transactionId },
    amountMinor,
    at,
  });
  await queuePartMail(tx, participation.id, payout);
  return { outcome: 'APPLIED', moved: null };
}

async function queuePartMail(tx: Tx, participationId: string, payout: Payout): Promise<void> {
  if (payout.amountMinor + payout.penaltyMinor === 0) return;
  await queueDailyMail(tx, participationId, { event: 'part-paid-out', at: payout.at }, (data) =>
    participationPartPaidOutLetter(data, payout),
  );
}

async function requirePart(tx: Tx, participation: LockedParticipation, payout: Payout): Promise<number> {
  const part = payout.amountMinor + payout.penaltyMinor;
  const { currency, externalId } = participation;
  const left = principalMinor(participation);
  if (part > left)
    throw new Inapplicable(
      `It reports that ${inWords(part, currency)} was paid out, more than the ${inWords(left, currency)} that is left of the investment ${externalId}.`,
    );
  requirePenaltyWithin(participation, payout, payout);
  await requireFewMovements(tx, participation, payout.event.occurredAt, payout);
  return part;
}
