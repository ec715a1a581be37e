import { z } from 'zod';
import type { CountedLink } from '../../../db/partners/link/partner-link.reads';
import { referralUrl } from '../referral-url';

export const LinkFigures = z.object({
  clicks: z.int().meta({
    description: 'Visits by the link. Repetitions of a visitor within half an hour and robots do not count.',
  }),
  registrations: z.int().meta({ description: 'Accounts that were opened by it.' }),
  conversions: z.int().meta({
    description: 'Of these, the accounts that have paid for an order.',
  }),
});

export const ReferralLink = z
  .object({
    id: z.uuid().describe('Identifies the link; a UUID.'),
    name: z.string().describe('What the partner calls it.'),
    code: z.string().meta({ description: 'The parameter `link` of its address.', example: 'K7M2PQ4X' }),
    url: z.url().describe('The URL that leads to the shop and names the link.'),
    campaign: z.string().nullable().describe('The campaign that the link is for; null without one.'),
    ...LinkFigures.shape,
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'ReferralLink' });

/** The view of a link of the partner with this code. */
export const linkView = (
  row: CountedLink,
  { referralCode, publicUrl }: { referralCode: string; publicUrl: string },
): z.input<typeof ReferralLink> => ({
  id: row.id,
  name: row.name,
  code: row.code,
  url: referralUrl(publicUrl, { code: referralCode, link: row.code, landingPath: row.landingPath }),
  campaign: row.campaign,
  clicks: row.clicks,
  registrations: row.registrations,
  conversions: row.conversions,
  createdAt: row.createdAt.toISOString(),
});
