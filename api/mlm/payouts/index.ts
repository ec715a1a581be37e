import { showPayoutBalance } from './balance';
import { cancelOwnPayoutEndpoint } from './cancel';
import { listOwnPayouts } from './history';
import { requestPayoutEndpoint } from './request';

export const ownPayoutEndpoints = [
  showPayoutBalance,
  requestPayoutEndpoint,
  listOwnPayouts,
  cancelOwnPayoutEndpoint,
];
