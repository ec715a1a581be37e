import { v7 } from 'uuid';
import {
  insertParticipation,
  investedMinor,
  lockParticipation,
  nextParticipationNumber,
  type LockedParticipation,
} from '../../../db/investment/participation/participation.transitions';
import {
  lockStrategyOffer,
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
import { Inapplicable, inWords } from './inapplicable';
import { requireCreditable, requirePrincipalWithin, type Applying } from './payout/bounds';
import { termOf, type Created, type ReportedMoney } from './reported-term';

interface Making extends Applying {
  money: ReportedMoney;
  level: KycLevel;
  currency: string;
}

/**
 * Makes a participation of money that was put in at the provider. Where our own rules would not have allowed it (identity
 * not verified, no capacity left, strategy closed), the money is there all the same: a person has to decide. Only its provider
 * knows of that money, so it counts as promised by it.
 */
export async function createReported(tx: Tx, event: Created, making: Making): Promise<LockedParticipation> {
  const { money, at, currency } = making;
  const { userId, amountMinor } = money;
  const { externalId, strategyCode } = event.data;
  requirePrincipalWithin(amountMinor, currency);
  const owing = { userId, providerCode: event.provider, currency, externalId };
  await requireCreditable(tx, owing, amountMinor, making);
  const offer = await lockStrategyOffer(tx, money.strategyId);
  if (!offer || offer.status === 'CLOSED') throw new Inapplicable(`Its strategy ${strategyCode} is closed.`);
  await requireLevel(tx, making, offer.currency);
  if (amountMinor < offer.minMinor || (offer.maxMinor !== null && amountMinor > offer.maxMinor))
    throw new Inapplicable(outside(offer, amountMinor));
  if (!(await reserveCapacity(tx, offer.id, amountMinor)))
    throw new Inapplicable(
      `Its strategy ${strategyCode} has not enough capacity left for ${inWords(amountMinor, offer.currency)}.`,
    );
  const { startedAt, maturesAt } = termOf(event, daysAfter(event.data.startDate, offer.maxDays));
  const id = v7();
  await insertParticipation(tx, {
    ...termsOf(offer),
    ...{ id, userId, amountMinor, externalId, startedAt, maturesAt, paidAt: startedAt },
    number: await nextParticipationNumber(tx),
    currency: offer.currency,
    ...{ origin: 'PROVIDER', status: 'ACTIVE', paymentStatus: 'PAID' },
    durationDays: Math.max(1, Math.round((maturesAt.getTime() - startedAt.getTime()) / DAY_MS)),
    ...{ compounding: false, autoReinvest: false },
    ...{ createdAt: at, updatedAt: at },
  });
  const made = await lockParticipation(tx, id);
  if (!made) throw new Error(`Participation ${id} was not written.`);
  await begin(tx, made, at, { externalId, webhookEventId: event.id, occurredAt: startedAt });
  await queueParticipationMail(tx, id, 'started', (data) =>
    participationReportedLetter(data, { waitedForPayment: false }),
  );
  return made;
}

const DAY_MS = 86_400_000;

type Offer = NonNullable<Awaited<ReturnType<typeof lockStrategyOffer>>>;

function outside({ currency, minMinor, maxMinor }: Offer, amountMinor: number): string {
  const bounds = `at least ${inWords(minMinor, currency)}${maxMinor === null ? '' : `, at most ${inWords(maxMinor, currency)}`}`;
  return `Its amount of ${inWords(amountMinor, currency)} is not within the bounds of its strategy: ${bounds}.`;
}

/** The rule of POST /investment/participations about who may have invested how much. Throws Inapplicable. */
async function requireLevel(tx: Tx, { money, level, policy }: Making, currency: string): Promise<void> {
  const invested = { investedMinor: await investedMinor(tx, money.userId), amountMinor: money.amountMinor };
  const missing = levelMissingToInvest({ level, ...invested }, toMinor(policy.kycStandardLimit, currency));
  if (missing)
    throw new Inapplicable(
      `The identity of its user ${money.userId} is not verified to the level ${missing}, which ${inWords(money.amountMinor, currency)} needs besides ${inWords(invested.investedMinor, currency)} invested.`,
    );
}
