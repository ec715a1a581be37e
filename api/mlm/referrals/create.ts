import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { text } from '../../http/request/fields';
import { ownPartner } from '../own-partner';
import { DEFAULT_LANDING } from '../referral-url';
import { createLink } from './create.command';
import { linkView, ReferralLink } from './link.view';

export const createReferralLink = endpoint({
  id: 'createReferralLink',
  returns: 'The link',
  method: 'post',
  path: '/mlm/referrals/links',
  summary: 'Add a link',
  description:
    'A link sets the referral cookies on every public page. A partner who is not active is refused with FORBIDDEN and the reason PARTNER_NOT_ACTIVE, too many links with the reason TOO_MANY_LINKS.',
  tag: 'Partner programme',
  auth: 'user',
  limit: perMinute(100),

  body: z
    .object({
      name: text({ min: 1, max: 100 }).meta({ example: 'Newsletter' }),
      campaign: text({ min: 1, max: 100 })
        .optional()
        .meta({ description: 'The campaign that the link is for.', example: 'spring' }),
      path: z
        .string()
        .max(200)
        .regex(/^\/(?!\/)[\w\-.~%/]*$/, 'must be the path of a page, without a query')
        .optional()
        .meta({ description: `The page to which it leads; ${DEFAULT_LANDING} by default.`, example: '/' }),
    })
    .meta({ id: 'ReferralLinkRequest' }),
  success: 201,
  data: ReferralLink,
  errors: { NOT_A_PARTNER: 403, FORBIDDEN: 403 },

  async handle({ body }, { caller, db, identity, mint, policy }) {
    const { id: partnerId, referralCode } = await ownPartner({ db, caller });
    const { link: id } = await mint('link');
    const { name, campaign = null, path: landingPath = DEFAULT_LANDING } = body;
    const link = await createLink(db, { id, partnerId, name, campaign, landingPath }, policy.partnerLinks);
    return linkView(link, { referralCode, publicUrl: identity.settings.PUBLIC_URL });
  },
});
