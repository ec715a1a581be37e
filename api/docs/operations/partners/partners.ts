import type { OperationWords } from '../words';

/** Networks and links of partners, and partners as administrators read them. */
export const partnerOperations: OperationWords = {
  'GET /mlm/partner/me': ['getOwnPartner', 'Your membership'],
  'GET /mlm/partner/network': ['listOwnNetwork', 'One page of the partners below you'],
  'GET /mlm/partner/network/stats': ['getOwnNetworkStats', 'The figures of your network'],
  'GET /mlm/referrals/links': ['listReferralLinks', 'Your links'],
  'POST /mlm/referrals/links': ['createReferralLink', 'The link'],
  'GET /mlm/referrals/links/:id/stats': ['getReferralLinkStats', 'What the link brought by day'],
  'GET /admin/partners': ['listPartners', 'One page of partners'],
  'GET /admin/partners/:id': ['getPartner', 'The partner'],
  'GET /admin/partners/:id/network': ['listPartnerNetwork', 'One page of the partners below'],
  'GET /admin/partners/:id/statements/:month': ['getPartnerStatement', 'The statement of the month'],
  'GET /admin/partners/:id/statements/:month/export': ['exportPartnerStatement', 'The statement as CSV'],
};
