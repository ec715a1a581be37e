import { approveRefundEndpoint } from './approve';
import { listRefundsEndpoint } from './list';
import { rejectRefundEndpoint } from './reject';

export const adminRefundEndpoints = [listRefundsEndpoint, approveRefundEndpoint, rejectRefundEndpoint];
