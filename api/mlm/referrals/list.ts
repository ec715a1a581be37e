import { z } from 'zod';
import { countedLinks } from '../../../db/partners/link/partner-link.reads';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { ownPartner } from '../own-partner';
import { linkView, ReferralLink } from './link.view';

export const listReferralLinks = endpoint({
  id: 'listReferralLinks',
  returns: 'Your links',
  method: 'get',
  path: '/mlm/referrals/links',
  summary: 'List your links',
  description: 'All of them, newest first.',
  tag: 'Partner programme',
  auth: 'user',
  limit: perMinute(100),

  success: 200,
  data: z.object({ links: z.array(ReferralLink).describe('All links, newest first.') }),
  errors: { NOT_A_PARTNER: 403 },

  async handle(_request, { caller, db, identity }) {
    const { id, referralCode } = await ownPartner({ db, caller });
    const publicUrl = identity.settings.PUBLIC_URL;
    const links = await countedLinks(db, id);
    return { links: links.map((link) => linkView(link, { referralCode, publicUrl })) };
  },
});
