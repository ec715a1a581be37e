import { addTrackingEvent } from './add-tracking-event';
import { changeOrder } from './change';
import { confirmPayment } from './confirm-payment';
import { exportOrders } from './list/export';
import { listAllOrders } from './list/list';
import { refundOrderEndpoint } from './refund';
import { showAnyOrder } from './detail/show';

export const adminOrderEndpoints = [
  listAllOrders,
  exportOrders,
  showAnyOrder,
  changeOrder,
  confirmPayment,
  addTrackingEvent,
  refundOrderEndpoint,
];
