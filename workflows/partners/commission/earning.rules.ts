import { halfUp } from '../../commerce/order/pricing.rules';
import type { PartnerStatus } from '../membership/partner.states';
import type { CommissionSource, CommissionType } from './commission.rules';

/** The rates of a version of the programme, in basis points. */
export interface CommissionRates {
  personalSaleBp: number;
  repeatSaleBp: number;
  clientProfitBp: number;
  entranceLevel1Bp: number;
  entranceLevel2Bp: number;
  entranceLevel3Bp: number;
  withholdingBp: number;
}

/** The differential rates of a rank, in basis points. */
export interface DifferentialRates {
  level: number;
  teamRateBp: number;
  profitRateBp: number;
}

/** A partner above, as commissions depend on it. */
export interface Upline {
  partnerId: string;
  status: PartnerStatus;
  rankLevel: number;
}

/** The source of commissions: `weight` is the sum of base times basis points. */
export interface Earning {
  sourceType: CommissionSource;
  weight: bigint;
}

/** A commission as the rules compute it. */
export interface EarnedCommission {
  partnerId: string;
  type: CommissionType;
  sourceType: CommissionSource;
  /** The sponsor of the sale is 1; who is skipped is not counted. */
  level: number;
  rankLevel: number;
  rateBp: number;
  /** Of a differential: the highest rate met below; else null. */
  metRateBp: number | null;
  grossMinor: number;
  netMinor: number;
}

/** The version of the programme as a sale is counted by it. */
export interface CommissionTerms {
  rates: CommissionRates;
  ranks: readonly DifferentialRates[];
}

/** A whole amount as a weight: profits and fees are shared without a rate of the goods. */
export const wholeWeight = (amountMinor: number): bigint => BigInt(amountMinor) * 10_000n;

const WEIGHT_TIMES_RATE = 100_000_000n;

/** Base times rates, rounded half up once. */
export const commissionMinor = (weight: bigint, rateBp: number): number =>
  halfUp(weight * BigInt(rateBp), WEIGHT_TIMES_RATE);

/** A commission less what is withheld of it. */
export const netOf = (grossMinor: number, withholdingBp: number): number =>
  grossMinor - halfUp(BigInt(grossMinor) * BigInt(withholdingBp), 10_000n);

const takesPart = ({ status }: Upline): boolean => status === 'ACTIVE';

/** The partners above who earn, from the nearest. The first one is the sponsor of the sale. */
export const earningUplines = <Partner extends Upline>(uplines: readonly Partner[]): Partner[] =>
  uplines.filter(takesPart);

/** The commissions of a sale: of its sponsor (1 or 3), and the team differential (2) of those above. */
export function saleCommissions(
  terms: CommissionTerms,
  uplines: readonly Upline[],
  sale: Earning & { isRepeat: boolean },
): EarnedCommission[] {
  const { personalSaleBp, repeatSaleBp } = terms.rates;
  const direct = sale.isRepeat
    ? { type: 3 as const, rateBp: repeatSaleBp }
    : { type: 1 as const, rateBp: personalSaleBp };
  const [sponsor, ...above] = earningUplines(uplines);
  if (!sponsor) return [];
  return [
    ...earned(terms, sponsor, sale, { ...direct, level: 1, metRateBp: null }),
    ...differential(terms, [sponsor, ...above], sale, { type: 2, rateOf: (rank) => rank.teamRateBp }),
  ];
}

/** The commissions of a distributed profit: of the investor's sponsor (5), and the differential (6) of those above. */
export function profitCommissions(
  terms: CommissionTerms,
  uplines: readonly Upline[],
  amountMinor: number,
): EarnedCommission[] {
  const profit: Earning = { sourceType: 'INVESTMENT', weight: wholeWeight(amountMinor) };
  const partners = earningUplines(uplines);
  const [sponsor] = partners;
  if (!sponsor) return [];
  const direct = { type: 5, rateBp: terms.rates.clientProfitBp, level: 1, metRateBp: null } as const;
  return [
    ...earned(terms, sponsor, profit, direct),
    ...differential(terms, partners, profit, { type: 6, rateOf: (rank) => rank.profitRateBp }),
  ];
}

/** The commissions of an entrance fee (0): of the three partners who are next above the new one. */
export function entranceCommissions(
  terms: CommissionTerms,
  uplines: readonly Upline[],
  amountMinor: number,
): EarnedCommission[] {
  const { entranceLevel1Bp, entranceLevel2Bp, entranceLevel3Bp } = terms.rates;
  const fee: Earning = { sourceType: 'BONUS', weight: wholeWeight(amountMinor) };
  const partners = earningUplines(uplines);
  return [entranceLevel1Bp, entranceLevel2Bp, entranceLevel3Bp].flatMap((rateBp, index) => {
    const partner = partners[index];
    return partner ? earned(terms, partner, fee, { type: 0, rateBp, level: index + 1, metRateBp: null }) : [];
  });
}

/**
 * Gives each partner above the sponsor the own rate less the highest rate met so far, the sponsor's included. So the rates
 * of one sale never sum to more than the highest rate of a rank.
 */
function differential(
  terms: CommissionTerms,
  partners: readonly Upline[],
  earning: Earning,
  { type, rateOf }: { type: 2 | 6; rateOf: (rank: DifferentialRates) => number },
): EarnedCommission[] {
  const rateBy = new Map(terms.ranks.map((rank) => [rank.level, rateOf(rank)]));
  const rateOfPartner = ({ rankLevel }: Upline): number => rateBy.get(rankLevel) ?? 0;
  let metRateBp = 0;
  return partners.flatMap((partner, index) => {
    const own = rateOfPartner(partner);
    const met = metRateBp;
    metRateBp = Math.max(metRateBp, own);
    if (index === 0 || own <= met) return [];
    return earned(terms, partner, earning, { type, rateBp: own - met, level: index + 1, metRateBp: met });
  });
}

/** The commission, unless it rounds to nothing. */
function earned(
  { rates: { withholdingBp } }: CommissionTerms,
  { partnerId, rankLevel }: Upline,
  { sourceType, weight }: Earning,
  of: Pick<EarnedCommission, 'type' | 'rateBp' | 'level' | 'metRateBp'>,
): EarnedCommission[] {
  const grossMinor = commissionMinor(weight, of.rateBp);
  if (grossMinor === 0) return [];
  return [
    { partnerId, rankLevel, sourceType, ...of, grossMinor, netMinor: netOf(grossMinor, withholdingBp) },
  ];
}
