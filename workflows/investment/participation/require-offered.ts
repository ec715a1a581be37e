import { amountInWords, toMinor } from '../../commerce/money.rules';
import { refusalOf, type Refused } from '../../errors';
import { MOST_OF_ONE_MINOR } from './report-bounds.rules';
import type { StrategyStatus } from '../strategy/strategy.rules';

/** The offer of a strategy to new participants; amounts in minor units. */
export interface Offer {
  status: StrategyStatus;
  currency: string;
  minMinor: number;
  maxMinor: number | null;
  minDays: number;
  maxDays: number;
  compoundingAvailable: boolean;
  automaticReinvestment: boolean;
}

/** An investment that is requested. */
export interface Investment {
  amountMinor: number;
  currency: string;
  durationDays: number;
  compounding: boolean;
  autoReinvest: boolean;
}

/**
 * The reason why a strategy does not take an investment, in the order in which the contract names the codes; null: it does. What a
 * strategy does not offer at all is a VALIDATION_ERROR, so it comes before its status.
 */
export function whyNotOffered(offer: Offer, asked: Investment): Refused | null {
  return whyNotAvailable(offer, asked) ?? whyOutside(offer, asked);
}

/** Refuses what `whyNotOffered` names; `offer` null: there is no such strategy. */
export function requireOffered<Offered extends Offer>(offer: Offered | null, asked: Investment): Offered {
  if (offer === null) throw refusalOf({ code: 'STRATEGY_NOT_FOUND', message: 'No such strategy.' });
  const refused = whyNotOffered(offer, asked);
  if (refused) throw refusalOf(refused);
  return offer;
}

function whyNotAvailable(offer: Offer, asked: Investment): Refused | null {
  const code = 'VALIDATION_ERROR';
  if (asked.currency !== offer.currency) {
    const details = { currency: [`must be ${offer.currency}`] };
    return {
      code,
      reason: 'CURRENCY_NOT_OFFERED',
      message: `This strategy takes ${offer.currency} only.`,
      details,
    };
  }
  if (asked.compounding && !offer.compoundingAvailable) {
    const details = { 'options.compounding': ['is not available'] };
    return {
      code,
      reason: 'COMPOUNDING_NOT_AVAILABLE',
      message: 'This strategy does not compound returns.',
      details,
    };
  }
  if (asked.autoReinvest && !offer.automaticReinvestment) {
    const details = { 'options.autoReinvest': ['is not available'] };
    return {
      code,
      reason: 'REINVESTMENT_NOT_AVAILABLE',
      message: 'This strategy does not reinvest.',
      details,
    };
  }
  return null;
}

/** The largest amount of one investment, in major units, of a strategy that sets none. */
const MOST_INVESTED = 1_000_000_000;

function whyOutside(offer: Offer, { amountMinor, durationDays }: Investment): Refused | null {
  const { currency, minMinor, minDays, maxDays } = offer;
  const maxMinor = offer.maxMinor ?? toMinor(MOST_INVESTED, currency);
  if (offer.status !== 'ACTIVE')
    return { code: 'STRATEGY_NOT_ACTIVE', message: 'This strategy takes no new investments now.' };
  if (amountMinor < minMinor)
    return {
      code: 'AMOUNT_BELOW_MINIMUM',
      message: `The smallest amount of this strategy is ${amountInWords(minMinor, currency)}.`,
    };
  const mostMinor = Math.min(maxMinor, MOST_OF_ONE_MINOR);
  if (amountMinor > mostMinor)
    return {
      code: 'AMOUNT_ABOVE_MAXIMUM',
      message: `The largest amount of this strategy is ${amountInWords(mostMinor, currency)}.`,
    };
  if (durationDays < minDays || durationDays > maxDays)
    return { code: 'DURATION_INVALID', message: `This strategy runs for ${minDays} to ${maxDays} days.` };
  return null;
}
