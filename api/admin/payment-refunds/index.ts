import { listPaymentRefundsEndpoint } from './list';
import { settlePaymentRefund } from './settle';

export const adminPaymentRefundEndpoints = [listPaymentRefundsEndpoint, settlePaymentRefund];
