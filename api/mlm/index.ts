import { commissionEndpoints } from './commissions';
import { ownPartnerEndpoints } from './partner';
import { ownPayoutEndpoints } from './payouts';
import { rankEndpoints } from './ranks';
import { referralLinkEndpoints } from './referrals';
import { statementEndpoints } from './statements';

export const mlmEndpoints = [
  ...ownPartnerEndpoints,
  ...referralLinkEndpoints,
  ...commissionEndpoints,
  ...statementEndpoints,
  ...rankEndpoints,
  ...ownPayoutEndpoints,
];
