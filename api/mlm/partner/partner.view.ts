import { z } from 'zod';
import type { PartnerDetail } from '../../../db/partners/membership/partner-detail.reads';
import { figureInMajor, PLATFORM_CURRENCY, toMajor } from '../../../workflows/commerce/money.rules';
import { partnerStates } from '../../../workflows/partners/membership/partner.states';
import { referralUrl } from '../referral-url';
import { shortName } from '../short-name';

export const PartnerStatusField = z.enum(partnerStates.names);

/** The rank of a partner as lists show it. */
export const RankName = z.object({ name: z.string(), code: z.string() });

/** The parts of a partner that the partner and administrators see. */
export const partnerParts = {
  id: z.uuid(),
  referralCode: z.string(),
  status: PartnerStatusField,
  rank: z
    .object({
      id: z.string().meta({ description: 'Identifies the rank: its code.', example: 'BUILDER' }),
      name: z.string(),
      code: z.string(),
      level: z.int(),
    })
    .nullable(),
  highestRank: z.object({ name: z.string(), code: z.string(), achievedAt: z.iso.datetime() }).nullable(),
  sponsor: z.object({ id: z.uuid(), name: z.string(), referralCode: z.string() }).nullable(),
  balance: z.object({
    available: z.number().meta({ description: 'Below zero after a refund of what was paid out.' }),
    pending: z.number(),
    totalEarned: z.number(),
    totalWithdrawn: z.number(),
    careerPointsTotal: z.number(),
    careerPointsPeriod: z.number(),
    currency: z.string(),
  }),
  stats: z.object({
    directReferrals: z.int(),
    networkSize: z.int(),
    treeDepth: z.int(),
    activeReferrals: z.int(),
    commissionsCount: z.int(),
    payoutsCount: z.int(),
  }),
  joinedAt: z.iso.datetime(),
  activatedAt: z.iso.datetime().nullable(),
};

export const OwnPartner = z
  .object({ ...partnerParts, referralUrl: z.url() })
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
