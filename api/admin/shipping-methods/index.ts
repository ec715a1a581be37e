import { changeShippingMethodEndpoint } from './change';
import { createShippingMethodEndpoint } from './create';
import { listShippingMethodsEndpoint } from './list';
import { removeShippingMethodEndpoint } from './remove';

export const adminShippingMethodEndpoints = [
  listShippingMethodsEndpoint,
  createShippingMethodEndpoint,
  changeShippingMethodEndpoint,
  removeShippingMethodEndpoint,
];
