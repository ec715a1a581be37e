import { administrationInvariants } from './administration.invariants';
import { analyticsInvariants } from './analytics.invariants';
import { catalogueInvariants } from './catalog/catalogue.invariants';
import { chargebackInvariants } from './commerce/chargeback.invariants';
import { commissionAmountInvariants } from './partners/commission-amount.invariants';
import { commissionBalanceInvariants } from './partners/commission-balance.invariants';
import { couponInvariants } from './commerce/coupon.invariants';
import { domainEventInvariants } from './domain-event.invariants';
import { entranceInvariants } from './partners/entrance.invariants';
import { identityInvariants } from './identity.invariants';
import type { ComputedInvariant, Invariant } from './invariant';
import { kycInvariants } from './kyc.invariants';
import { payoutInvariants } from './commerce/payout.invariants';
import { ledgerInvariants } from './ledger.invariants';
import { moneyInvariants } from './commerce/money.invariants';
import { orderInvariants } from './commerce/order.invariants';
import { investmentEventInvariants } from './investment/investment-event.invariants';
import { participationInvariants } from './investment/participation.invariants';
import { participationLedgerInvariants } from './investment/participation-ledger.invariants';
import { participationPaymentInvariants } from './investment/participation-payment.invariants';
import { commissionInvariants } from './partners/commission.invariants';
import { partnerCountInvariants } from './partners/partner-count.invariants';
import { partnerSaleInvariants } from './partners/partner-sale.invariants';
import { paymentInvariants } from './commerce/payment.invariants';
import { paymentRefundInvariants } from './commerce/payment-refund.invariants';
import { providerEventInvariants } from './investment/provider-event.invariants';
import { providerInvariants } from './commerce/provider.invariants';
import { poolInvariants } from './partners/pool.invariants';
import { reconciliationInvariants } from './commerce/reconciliation.invariants';
import { shipmentInvariants } from './commerce/shipment.invariants';
import { reviewInvariants } from './catalog/review.invariants';
import { refundInvariants } from './commerce/refund.invariants';
import { stockInvariants } from './catalog/stock.invariants';
import { topUpInvariants } from './ledger/top-up.invariants';
import { withdrawalInvariants } from './investment/withdrawal.invariants';

/** Everything that must hold in the database. An area adds its list here, and a proof for each in tests/db/invariants. */
export const invariantList: readonly (Invariant | ComputedInvariant)[] = [
  ...ledgerInvariants,
  ...catalogueInvariants,
  ...stockInvariants,
  ...orderInvariants,
  ...shipmentInvariants,
  ...moneyInvariants,
  ...paymentInvariants,
  ...paymentRefundInvariants,
  ...investmentEventInvariants,
  ...participationInvariants,
  ...participationLedgerInvariants,
  ...participationPaymentInvariants,
  ...refundInvariants,
  ...chargebackInvariants,
  ...providerInvariants,
  ...reconciliationInvariants,
  ...providerEventInvariants,
  ...couponInvariants,
  ...domainEventInvariants,
  ...identityInvariants,
  ...kycInvariants,
  ...reviewInvariants,
  ...withdrawalInvariants,
  ...payoutInvariants,
  ...entranceInvariants,
  ...topUpInvariants,
  ...commissionBalanceInvariants,
  ...partnerSaleInvariants,
  ...partnerCountInvariants,
  ...commissionInvariants,
  ...commissionAmountInvariants,
  ...poolInvariants,
  ...administrationInvariants,
  ...analyticsInvariants,
];
