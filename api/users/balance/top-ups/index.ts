import type { Endpoint } from '../../../http/endpoint';
import { cancelTopUpEndpoint } from './cancel';
import { listTopUps } from './list';
import { topUpBalance } from './open';
import { showTopUp } from './show';

export const topUpEndpoints: readonly Endpoint[] = [topUpBalance, listTopUps, showTopUp, cancelTopUpEndpoint];
