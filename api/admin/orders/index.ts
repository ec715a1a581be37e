import { addTrackingEvent } from './add-tracking-event';
import { changeOrder } from './change';
import { confirmPayment } from './confirm-payment';
import { listAllOrders } from './list';
import { refundOrderEndpoint } from './refund';

export const adminOrderEndpoints = [
  listAllOrders,
  changeOrder,
  confirmPayment,
  addTrackingEvent,
  refundOrderEndpoint,
];
