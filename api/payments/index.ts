import type { Endpoint } from '../http/endpoint';
import { receivePaymentReport } from './webhooks/receive';

export const paymentEndpoints: readonly Endpoint[] = [receivePaymentReport];
