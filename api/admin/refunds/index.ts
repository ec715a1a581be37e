import { approveRefundEndpoint } from './approve';
import { listRefundsEndpoint } from './list';
import { rejectRefundEndpoint } from './reject';
import { showRefundEndpoint } from './show';

export const adminRefundEndpoints = [
  listRefundsEndpoint,
  showRefundEndpoint,
  approveRefundEndpoint,
  rejectRefundEndpoint,
];
