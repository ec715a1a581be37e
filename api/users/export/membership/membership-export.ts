import { z } from 'zod';
import { strayRefundsOf } from '../../../../db/commerce/refund/stray-refund.reads';
import { countedLinks } from '../../../../db/partners/link/partner-link.reads';
import { entrancesOf } from '../../../../db/partners/membership/entrance.reads';
import { partnerDetail } from '../../../../db/partners/network/partner-detail.reads';
import { PLATFORM_CURRENCY } from '../../../../workflows/commerce/money.rules';
import type { Context } from '../../../http/handler-context';
import { OwnPartner, ownPartnerView } from '../../../mlm/partner/partner.view';
import { linkView, ReferralLink } from '../../../mlm/referrals/link.view';
import { DecisionsExport, decisionsExport } from './decisions-export';
import { EntranceExport, entranceExport } from './entrance-export.view';
import { EntranceRefundExport, entranceRefundExport } from '../stray-refund-export.view';

/** The membership in the partner programme, null without one, its links and decisions about it, and entrance fees, which may have none. */
export const MembershipExport = {
  membership: OwnPartner.nullable().describe('The membership in the partner programme; null without one.'),
  referralLinks: z.array(ReferralLink).describe('Links of the partner, newest first.'),
  ...DecisionsExport,
  entranceFees: z
    .array(EntranceExport)
    .describe('Entrance fees of the partner programme, paid or not, oldest first.'),
  entranceFeeRefunds: z
    .array(EntranceRefundExport)
    .describe('Money that goes back of payments for entrance fees.'),
};

export async function membershipExport({ caller, db, identity }: Context<'user'>) {
  const partner = await partnerDetail(db, { userId: caller.id }, PLATFORM_CURRENCY);
  const fees = {
    entranceFees: (await entrancesOf(db, caller.id)).map(entranceExport),
    entranceFeeRefunds: (await strayRefundsOf(db, caller.id, 'entranceId')).map(entranceRefundExport),
  };
  if (!partner)
    return { membership: null, referralLinks: [], commissionAdjustments: [], rankHistory: [], ...fees };
  const publicUrl = identity.settings.PUBLIC_URL;
  const links = await countedLinks(db, partner.id);
  return {
    ...fees,
    ...(await decisionsExport(db, partner.id)),
    membership: ownPartnerView(partner, publicUrl),
    referralLinks: links.map((link) => linkView(link, { referralCode: partner.referralCode, publicUrl })),
  };
}
