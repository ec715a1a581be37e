import { showPayoutBalance } from './balance';
import { cancelOwnPayoutEndpoint } from './cancel';
import { listOwnPayouts } from './history';
import { requestPayout } from './request';

export const ownPayoutEndpoints = [showPayoutBalance, requestPayout, listOwnPayouts, cancelOwnPayoutEndpoint];
