import { approveRefundEndpoint } from './approve';
import { listRefunds } from './list';
import { rejectRefundEndpoint } from './reject';
import { showRefund } from './show';

export const adminRefundEndpoints = [listRefunds, showRefund, approveRefundEndpoint, rejectRefundEndpoint];
