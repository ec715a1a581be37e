import { listPartners } from './list';
import { showPartnerNetwork } from './network';
import { showPartner } from './show';
import { partnerStatementEndpoints } from './statements';

export const adminPartnerEndpoints = [
  listPartners,
  showPartner,
  showPartnerNetwork,
  ...partnerStatementEndpoints,
];
