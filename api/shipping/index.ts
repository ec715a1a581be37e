import type { Endpoint } from '../http/endpoint';
import { listShippingMethods } from './methods';

export const shippingEndpoints: readonly Endpoint[] = [listShippingMethods];
