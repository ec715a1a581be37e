import type { Endpoint } from '../http/endpoint';
import { calculateShipping } from './calculate';
import { listShippingMethods } from './methods';

export const shippingEndpoints: readonly Endpoint[] = [listShippingMethods, calculateShipping];
