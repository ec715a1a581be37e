import { analyticsEndpoints } from './analytics';
import { auditEndpoints } from './audit-logs';
import { adminBankFileEndpoints } from './bank-files';
import { adminBankTransferEndpoints } from './bank-transfers';
import { adminCategoryEndpoints } from './categories';
import { adminCommissionEndpoints } from './commissions';
import { adminCouponEndpoints } from './coupons';
import { adminInvestmentCategoryEndpoints } from './investment/categories';
import { adminDomainEventEndpoints } from './domain-events';
import { investmentDifferenceEndpoints } from './investment/differences';
import { adminKycEndpoints } from './kyc';
import { adminMessageEndpoints } from './messages';
import { adminOperationEndpoints } from './operations';
import { adminOrderEndpoints } from './orders';
import { adminParticipationEndpoints } from './participations';
import { adminMembershipEndpoints } from './partners/membership';
import { adminPartnerEndpoints } from './partners';
import { adminPaymentRefundEndpoints } from './payment-refunds';
import { adminPayoutEndpoints } from './payouts';
import { adminPoolEndpoints } from './pools';
import { adminProviderEndpoints } from './providers';
import { reconciliationEndpoints } from './reconciliation';
import { adminRefundEndpoints } from './refunds';
import { adminProductEndpoints } from './products';
import { adminShippingMethodEndpoints } from './shipping-methods';
import { adminStrategyEndpoints } from './strategies';
import { adminTaxRateEndpoints } from './tax-rates';
import { adminTopUpEndpoints } from './top-ups';
import { adminReviewEndpoints } from './reviews';
import { adminUserEndpoints } from './users';
import { adminWebhookEventEndpoints } from './webhook-events';
import { adminWithdrawalEndpoints } from './withdrawals';

export const adminEndpoints = [
  ...analyticsEndpoints,
  ...adminUserEndpoints,
  ...adminKycEndpoints,
  ...adminOrderEndpoints,
  ...adminOperationEndpoints,
  ...adminMessageEndpoints,
  ...adminDomainEventEndpoints,
  ...adminBankFileEndpoints,
  ...adminBankTransferEndpoints,
  ...adminCategoryEndpoints,
  ...adminCommissionEndpoints,
  ...adminCouponEndpoints,
  ...adminProductEndpoints,
  ...adminShippingMethodEndpoints,
  ...adminTaxRateEndpoints,
  ...adminTopUpEndpoints,
  ...adminStrategyEndpoints,
  ...adminReviewEndpoints,
  ...adminRefundEndpoints,
  ...reconciliationEndpoints,
  ...adminPaymentRefundEndpoints,
  ...adminParticipationEndpoints,
  ...adminPartnerEndpoints,
  ...adminPayoutEndpoints,
  ...adminPoolEndpoints,
  ...adminProviderEndpoints,
  ...adminInvestmentCategoryEndpoints,
  ...investmentDifferenceEndpoints,
  ...adminWebhookEventEndpoints,
  ...adminWithdrawalEndpoints,
  ...adminMembershipEndpoints,
  ...auditEndpoints,
];
