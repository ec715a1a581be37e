import type { Endpoint } from '../../http/endpoint';
import { confirmTopUpPayment } from './confirm-payment';
import { listAllTopUps } from './list';

export const adminTopUpEndpoints: readonly Endpoint[] = [listAllTopUps, confirmTopUpPayment];
