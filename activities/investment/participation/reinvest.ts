import { v7 } from 'uuid';
import {
  insertParticipation,
  investedMinor,
  nextParticipationNumber,
  type LockedParticipation,
} from '../../../db/investment/participation/participation.transitions';
import {
  hasCapacityFor,
  lockStrategyOffer,
  reserveCapacity,
  type StrategyOffer,
} from '../../../db/investment/strategy/strategy-capacity.transitions';
import { lockLevel, lockUserStanding } from '../../../db/kyc/standing/user-standing.writes';
import type { Policy } from '../../../db/policy/config';
import type { Tx } from '../../../db/sql/query';
import { toMinor } from '../../../workflows/commerce/money.rules';
import { whyNotOffered } from '../../../workflows/investment/participation/require-offered';
import {
  nextPrincipalMinor,
  type MaturedAmounts,
  type NotReinvested,
} from '../../../workflows/investment/participation/reinvestment.rules';
import { levelMissingToInvest } from '../../../workflows/kyc/kyc-gate.rules';
import { requireParticipation } from './participation-state';
import { begin, daysAfter } from './settle-participation';
import { termsOf } from './terms';

/** A term that follows a matured one. */
interface NextTerm {
  offer: StrategyOffer;
  amountMinor: number;
  compounding: boolean;
}

/** The next term, or why there is none although it was requested; neither where it was not requested. */
type Plan = { next: NextTerm; refused: null } | { next: null; refused: NotReinvested | null };

const refused = (why: NotReinvested | null): Plan => ({ next: null, refused: why });

/**
 * Decides whether a participation that matures is invested again, by the terms of its strategy now; returns compound as long
 * as the strategy offers that. The caller has locked the user, then the participation; the strategy is locked here.
 */
export async function planNextTerm(
  tx: Tx,
  participation: LockedParticipation,
  matured: MaturedAmounts,
  policy: Policy,
): Promise<Plan> {
  const { userId, strategyId, currency, durationDays, autoReinvest } = participation;
  if (!autoReinvest) return refused(null);
  const user = await lockUserStanding(tx, userId);
  if (user?.status !== 'ACTIVE' || user.erasedAt !== null) return refused('ACCOUNT_NOT_ACTIVE');
  const offer = await lockStrategyOffer(tx, strategyId);
  if (!offer) throw new Error(`There is no strategy ${strategyId}.`);
  const compounding = participation.compounding && offer.compoundingAvailable;
  const amountMinor = nextPrincipalMinor(matured, { compounding });
  if (amountMinor === 0) return refused('NOTHING_LEFT');
  const why = whyNotOffered(offer, { amountMinor, currency, durationDays, compounding, autoReinvest });
  if (why) return refused(why.code);

  const freedMinor = matured.principalMinor;
  const held = (await investedMinor(tx, userId)) - freedMinor;
  const level = (await lockLevel(tx, userId)) ?? 'NONE';
  const limitMinor = toMinor(policy.kycStandardLimit, currency);
  if (levelMissingToInvest({ level, investedMinor: held, amountMinor }, limitMinor) !== null)
    return refused('KYC_REQUIRED');
  if (!(await hasCapacityFor(tx, strategyId, { amountMinor, freedMinor })))
    return refused('STRATEGY_CAPACITY_REACHED');
  return { next: { offer, amountMinor, compounding }, refused: null };
}

/** Writes the participation of the next term, which runs at once: the money of the matured one is in it already. */
export async function beginNextTerm(
  tx: Tx,
  matured: LockedParticipation,
  { offer, amountMinor, compounding }: NextTerm,
  at: Date,
): Promise<{ number: string; amountMinor: number; maturesAt: Date }> {
  if (!(await reserveCapacity(tx, offer.id, amountMinor)))
    throw new Error(`The strategy ${offer.id} has lost capacity while it was locked.`);
  const { userId, currency, durationDays, autoReinvest } = matured;
  const [id, number] = [v7(), await nextParticipationNumber(tx)];
  const maturesAt = daysAfter(at, durationDays);
  await insertParticipation(tx, {
    ...termsOf(offer),
    ...{ id, number, userId, amountMinor, currency, durationDays, compounding, autoReinvest, maturesAt },
    origin: 'REINVESTMENT',
    reinvestedFromId: matured.id,
    status: 'ACTIVE',
    paymentStatus: 'PAID',
    paidAt: at,
    startedAt: at,
    createdAt: at,
    updatedAt: at,
  });
  await begin(tx, await requireParticipation(tx, id), at);
  return { number, amountMinor, maturesAt };
}
