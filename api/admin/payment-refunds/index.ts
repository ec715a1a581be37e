import { listPaymentRefundsEndpoint } from './list';
import { settlePaymentRefund } from './settle';
import { showPaymentRefund } from './show';

export const adminPaymentRefundEndpoints = [
  listPaymentRefundsEndpoint,
  showPaymentRefund,
  settlePaymentRefund,
];
