import { v7 } from 'uuid';
import { bookPrincipalPaid } from '../../../db/investment/participation/participation-ledger.transitions';
import {
  insertParticipation,
  investedMinor,
  lockParticipation,
  nextParticipationNumber,
  type LockedParticipation,
} from '../../../db/investment/participation/participation.transitions';
import {
  lockStrategyOffer,
  reserveBeyondCapacity,
  reserveCapacity,
} from '../../../db/investment/strategy/strategy-capacity.transitions';
import type { Tx } from '../../../db/sql/query';
import { toMinor } from '../../../workflows/commerce/money.rules';
import { participationReportedLetter } from '../../../workflows/investment/provider-event/provider-event.letters';
import { levelMissingToInvest } from '../../../workflows/kyc/kyc-gate.rules';
import type { KycLevel } from '../../../workflows/kyc/kyc.rules';
import { queueParticipationMail } from '../participation/queue-participation-mail';
import { begin, daysAfter } from '../participation/settle-participation';
import { termsOf } from '../participation/terms';
import { DAY_MS } from '../../../workflows/kit/values/durations.rules';
import { Inapplicable, inWords } from '../report/inapplicable';
import { requireCreditable, requirePrincipalWithin, type Applying } from './payout/bounds';
import { termOf, type Created, type ReportedMoney } from './reported-term';

interface Making extends Applying {
  money: ReportedMoney;
  level: KycLevel;
  currency: string;
  /** The participation that the report names, where it was cancelled before the money came; null: none. */
  cancelled: LockedParticipation | null;
}

/**
 * Makes a participation of money that was put in at the provider. Where our own rules would not have allowed it (identity
 * not verified, no capacity left, strategy not active, amount outside its bounds, its participation cancelled), the money is there all the same: it is
 * recorded, and `toDecide` says which decision a person has to make. Only its provider knows of that money, so it counts as
 * promised by it.
 */
export async function createReported(
  tx: Tx,
  event: Created,
  making: Making,
): Promise<{ participation: LockedParticipation; toDecide: string | null }> {
  const { money, at, currency } = making;
  const { userId, amountMinor } = money;
  const { externalId, strategyCode } = event.data;
  requirePrincipalWithin(amountMinor, currency);
  const owing = { userId, providerCode: event.provider, currency, externalId };
  await requireCreditable(tx, owing, amountMinor, making);
  const offer = await lockStrategyOffer(tx, money.strategyId);
  if (!offer) throw new Error(`There is no strategy ${money.strategyId}.`);
  const beyond = [
    making.cancelled && `Its participation ${making.cancelled.number} was cancelled here before it was paid.`,
    offer.status === 'ACTIVE' ? null : `Its strategy ${strategyCode} is ${offer.status}.`,
    await levelWords(tx, making, offer.currency),
    outside(offer, amountMinor),
    await takeCapacity(tx, offer, { amountMinor, strategyCode }),
  ].filter((words) => words !== null);
  const { startedAt, maturesAt } = termOf(
    event,
    daysAfter(event.data.startDate, making.cancelled?.durationDays ?? offer.maxDays),
  );
  const id = v7();
  await insertParticipation(tx, {
    ...termsOf(offer),
    ...{ id, userId, amountMinor, externalId, startedAt, maturesAt, paidAt: startedAt },
    number: await nextParticipationNumber(tx),
    currency: offer.currency,
    ...{ origin: 'PROVIDER', status: 'ACTIVE', paymentStatus: 'PAID' },
    durationDays: Math.max(1, Math.round((maturesAt.getTime() - startedAt.getTime()) / DAY_MS)),
    ...optionsOf(making.cancelled, offer),
    ...{ createdAt: at, updatedAt: at },
  });
  const made = await lockParticipation(tx, id);
  if (!made) throw new Error(`Participation ${id} was not written.`);
  await begin(tx, made, at, { externalId, webhookEventId: event.id, occurredAt: startedAt });
  await bookPrincipalPaid(tx, made, 'REPORTED', at);
  await queueParticipationMail(tx, id, 'started', (data) =>
    participationReportedLetter(data, { waitedForPayment: false }),
  );
  if (beyond.length === 0) return { participation: made, toDecide: null };
  const toDecide = `Investment ${externalId} was recorded as ${made.number}, though it would have been refused here: ${beyond.join(' ')} Decide whether it stays.`;
  return { participation: made, toDecide };
}

/** The options that its owner had chosen when it was opened here, as far as the strategy offers them now; none where it was not. */
const optionsOf = (
  cancelled: Making['cancelled'],
  { compoundingAvailable, automaticReinvestment }: Offer,
): Pick<LockedParticipation, 'compounding' | 'autoReinvest'> => ({
  compounding: cancelled?.compounding === true && compoundingAvailable,
  autoReinvest: cancelled?.autoReinvest === true && automaticReinvestment,
});

type Offer = NonNullable<Awaited<ReturnType<typeof lockStrategyOffer>>>;

function outside({ currency, minMinor, maxMinor }: Offer, amountMinor: number): string | null {
  if (amountMinor >= minMinor && (maxMinor === null || amountMinor <= maxMinor)) return null;
  const bounds = `at least ${inWords(minMinor, currency)}${maxMinor === null ? '' : `, at most ${inWords(maxMinor, currency)}`}`;
  return `Its amount of ${inWords(amountMinor, currency)} is not within the bounds of its strategy: ${bounds}.`;
}

/** Takes capacity, also beyond what is left; that in words, else null. Throws Inapplicable beyond what can be shown. */
async function takeCapacity(
  tx: Tx,
  { id, currency }: Offer,
  { amountMinor, strategyCode }: { amountMinor: number; strategyCode: string },
): Promise<string | null> {
  if (await reserveCapacity(tx, id, amountMinor)) return null;
  const amount = inWords(amountMinor, currency);
  if (!(await reserveBeyondCapacity(tx, id, amountMinor)))
    throw new Inapplicable(
      `With its ${amount} more was invested in the strategy ${strategyCode} than can be shown.`,
    );
  return `Its strategy ${strategyCode} has not enough capacity left for ${amount}.`;
}

/** The rule of POST /investment/participations about who may have invested how much, in words where it is not kept. */
async function levelWords(
  tx: Tx,
  { money, level, policy }: Making,
  currency: string,
): Promise<string | null> {
  const invested = { investedMinor: await investedMinor(tx, money.userId), amountMinor: money.amountMinor };
  const missing = levelMissingToInvest({ level, ...invested }, toMinor(policy.kycStandardLimit, currency));
  return (
    missing &&
    `The identity of its user ${money.userId} is not verified to the level ${missing}, which ${inWords(money.amountMinor, currency)} needs besides ${inWords(invested.investedMinor, currency)} invested.`
  );
}
