import { commissionEndpoints } from './commissions';
import { ownPartnerEndpoints } from './partner';
import { ownPayoutEndpoints } from './payouts';
import { rankEndpoints } from './ranks';
import { referralLinkEndpoints } from './referrals';

export const mlmEndpoints = [
  ...ownPartnerEndpoints,
  ...referralLinkEndpoints,
  ...commissionEndpoints,
  ...rankEndpoints,
  ...ownPayoutEndpoints,
];
