import { partnerDetail } from '../../../db/partners/network/partner-detail.reads';
import { PLATFORM_CURRENCY } from '../../../workflows/commerce/money.rules';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { notAPartner } from '../own-partner';
import { OwnPartner, ownPartnerView } from './partner.view';

export const showOwnPartner = endpoint({
  id: 'getOwnPartner',
  returns: 'Your membership',
  method: 'get',
  path: '/mlm/partner/me',
  summary: 'Show your membership',
  description: 'Also of one who is suspended or terminated. What is counted follows within seconds.',
  tag: 'Partner programme',
  auth: 'user',
  limit: perMinute(100),

  success: 200,
  data: OwnPartner,
  errors: { NOT_A_PARTNER: 403 },

  async handle(_request, { caller, db, identity }) {
    const partner = await partnerDetail(db, { userId: caller.id }, PLATFORM_CURRENCY);
    if (!partner) throw notAPartner();
    return ownPartnerView(partner, identity.settings.PUBLIC_URL);
  },
});
