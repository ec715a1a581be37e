import { payoutDecisions } from './decisions';
import { payoutDesk, walletDesk, type PayoutDesk } from './desk';
import { exportPayouts } from './export';
import { listPayoutsEndpoint } from './list';
import { showPayout } from './show';

const endpointsOf = (desk: PayoutDesk) => [
  listPayoutsEndpoint(desk),
  exportPayouts(desk),
  showPayout(desk),
  ...payoutDecisions(desk),
];

/** The payouts of partners, and the same for withdrawals from wallets. */
export const adminPayoutEndpoints = [...endpointsOf(payoutDesk), ...endpointsOf(walletDesk)];
