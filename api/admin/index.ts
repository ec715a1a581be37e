import { auditEndpoints } from './audit-logs';
import { adminCategoryEndpoints } from './categories';
import { adminCouponEndpoints } from './coupons';
import { abandonOperation } from './operations/abandon';
import { listOperations } from './operations/list';
import { retryOperation } from './operations/retry';
import { adminOrderEndpoints } from './orders';
import { adminPaymentRefundEndpoints } from './payment-refunds';
import { adminRefundEndpoints } from './refunds';
import { adminProductEndpoints } from './products';
import { adminShippingMethodEndpoints } from './shipping-methods';
import { adminTaxRateEndpoints } from './tax-rates';
import { adminReviewEndpoints } from './reviews';
import { adminUserEndpoints } from './users';

export const adminEndpoints = [
  ...adminUserEndpoints,
  ...adminOrderEndpoints,
  listOperations,
  retryOperation,
  abandonOperation,
  ...adminCategoryEndpoints,
  ...adminCouponEndpoints,
  ...adminProductEndpoints,
  ...adminShippingMethodEndpoints,
  ...adminTaxRateEndpoints,
  ...adminReviewEndpoints,
  ...adminRefundEndpoints,
  ...adminPaymentRefundEndpoints,
  ...auditEndpoints,
];
