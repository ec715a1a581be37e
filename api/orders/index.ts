import { cancelOrder } from './cancel';
import { listOrders } from './list';
import { payOrderEndpoint } from './pay';
import { requestRefundEndpoint } from './refund/refund';
import { showOrder } from './show';
import { trackOrder } from './tracking';

export const orderEndpoints = [
  listOrders,
  showOrder,
  trackOrder,
  cancelOrder,
  payOrderEndpoint,
  requestRefundEndpoint,
];
