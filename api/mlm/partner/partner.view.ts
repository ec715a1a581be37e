import { z } from 'zod';
import type { PartnerDetail } from '../../../db/partners/network/partner-detail.reads';
import { figureInMajor, PLATFORM_CURRENCY, toMajor } from '../../../workflows/commerce/money.rules';
import { partnerStates } from '../../../workflows/partners/membership/partner.states';
import { referralUrl } from '../referral-url';
import { shortName } from '../short-name';

export const PartnerStatusField = z
  .enum(partnerStates.names)
  .meta({ id: 'PartnerStatus', description: 'The standing of a partner.' });

/** The rank of a partner as lists show it. */
export const RankName = z.object({
  name: z.string(),
  code: z.string().describe('The short name of the rank, such as LEADER.'),
});

/** The parts of a partner that the partner and administrators see. */
export const partnerParts = {
  id: z.uuid().describe('Identifies the partner; a UUID.'),
  referralCode: z.string(),
  status: PartnerStatusField,
  rank: z
    .object({
      id: z.string().meta({ description: 'Identifies the rank: its code.', example: 'BUILDER' }),
      name: z.string(),
      code: z.string().describe('The short name of the rank, such as LEADER.'),
      level: z.int().describe('The place of the rank, from 1.'),
    })
    .nullable()
    .describe('The rank in the partner programme.'),
  highestRank: z
    .object({
      name: z.string(),
      code: z.string().describe('The short name of the rank, such as LEADER.'),
      achievedAt: z.iso.datetime().describe('When the rank was reached.'),
    })
    .nullable()
    .describe('The highest rank that was ever reached.'),
  sponsor: z
    .object({ id: z.uuid(), name: z.string(), referralCode: z.string() })
    .nullable()
    .describe('The partner directly above; null at the top.'),
  balance: z
    .object({
      available: z.number().meta({ description: 'Below zero after a refund of what was paid out.' }),
      pending: z.number().describe('Commissions that are not yet final, in USD.'),
      totalEarned: z.number().describe('All commissions, less what was taken back.'),
      totalWithdrawn: z.number().describe('What was paid out of it.'),
      careerPointsTotal: z.number().describe('Points of the partner and everybody below.'),
      careerPointsPeriod: z
        .number()
        .describe('Points of the partner and everybody below in this month (UTC).'),
      currency: z.string(),
    })
    .describe('What the partner has earned.'),
  stats: z
    .object({
      directReferrals: z.int().describe('Partners directly below.'),
      networkSize: z.int().describe('All partners below, of every level.'),
      treeDepth: z.int().describe('The levels below the partner.'),
      activeReferrals: z.int().describe('People brought directly who have paid an order within 90 days.'),
      commissionsCount: z.int().describe('Commissions of any status.'),
      payoutsCount: z.int().describe('Payouts of any status.'),
    })
    .describe('Figures since the partner joined.'),
  joinedAt: z.iso.datetime().describe('When the partner joined.'),
  activatedAt: z.iso.datetime().nullable().describe('When the membership began to count; null before.'),
};

export const OwnPartner = z
  .object({ ...partnerParts, referralUrl: z.url().describe('An address that brings people by the code.') })
  .meta({ id: 'OwnPartner', description: 'The membership of the caller.' });

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;
const usd = (minor: number): number => toMajor(minor, PLATFORM_CURRENCY);

type NameOf = (sponsor: NonNullable<PartnerDetail['sponsor']>) => string;

/** Shows the parts that the partner and administrators see; `nameOf` names the sponsor. */
export function partnerPartsView(row: PartnerDetail, nameOf: NameOf) {
  const { rankLevel, rankName, rankCode, highestRankName, highestRankCode, highestRankAt } = row;
  return {
    id: row.id,
    referralCode: row.referralCode,
    status: row.status,
    rank: { id: rankCode, name: rankName, code: rankCode, level: rankLevel },
    highestRank: { name: highestRankName, code: highestRankCode, achievedAt: highestRankAt.toISOString() },
    sponsor: row.sponsor && {
      id: row.sponsor.id,
      name: nameOf(row.sponsor),
      referralCode: row.sponsor.referralCode,
    },
    balance: {
      available: usd(row.availableMinor),
      pending: usd(row.pendingMinor),
      totalEarned: figureInMajor(row.earnedMinor, PLATFORM_CURRENCY),
      totalWithdrawn: figureInMajor(row.withdrawnMinor, PLATFORM_CURRENCY),
      careerPointsTotal: row.groupPoints / 100,
      careerPointsPeriod: row.periodPoints / 100,
      currency: PLATFORM_CURRENCY,
    },
    stats: {
      directReferrals: row.directReferrals,
      networkSize: row.networkSize,
      treeDepth: row.networkDepth,
      activeReferrals: row.activeReferrals,
      commissionsCount: row.commissionsCount,
      payoutsCount: row.payoutsCount,
    },
    joinedAt: row.joinedAt.toISOString(),
    activatedAt: iso(row.activatedAt),
  };
}

/** Shows a partner to itself, the sponsor by the short name. */
export const ownPartnerView = (row: PartnerDetail, publicUrl: string): z.input<typeof OwnPartner> => ({
  ...partnerPartsView(row, shortName),
  referralUrl: referralUrl(publicUrl, { code: row.referralCode }),
});
