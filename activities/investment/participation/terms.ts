import type {
  StrategyOffer,
  STRATEGY_TERMS,
} from '../../../db/investment/strategy/strategy-capacity.transitions';

type Terms = Pick<StrategyOffer, (typeof STRATEGY_TERMS)[number] | 'providerCode'> & { strategyId: string };

/** The terms of a strategy as a participation has them: later changes of the strategy do not change them. */
export const termsOf = (offer: StrategyOffer): Terms => ({
  strategyId: offer.id,
  providerCode: offer.providerCode,
  returnMinBp: offer.returnMinBp,
  returnMaxBp: offer.returnMaxBp,
  returnExpectedBp: offer.returnExpectedBp,
  returnType: offer.returnType,
  payoutFrequency: offer.payoutFrequency,
  lockDays: offer.lockDays,
  earlyWithdrawalAllowed: offer.earlyWithdrawalAllowed,
  earlyWithdrawalPenaltyBp: offer.earlyWithdrawalPenaltyBp,
  commissionBp: offer.commissionBp,
  careerPointsBp: offer.careerPointsBp,
});
