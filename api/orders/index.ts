import { cancelOrderEndpoint } from './cancel';
import { listOrders } from './list';
import { payOrderEndpoint } from './pay';
import { showOrder } from './show';

export const orderEndpoints = [listOrders, showOrder, cancelOrderEndpoint, payOrderEndpoint];
