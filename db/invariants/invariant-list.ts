import { administrationInvariants } from './administration.invariants';
import { catalogueInvariants } from './catalog/catalogue.invariants';
import { chargebackInvariants } from './commerce/chargeback.invariants';
import { couponInvariants } from './commerce/coupon.invariants';
import { domainEventInvariants } from './domain-event.invariants';
import { identityInvariants } from './identity.invariants';
import type { ComputedInvariant, Invariant } from './invariant';
import { ledgerInvariants } from './ledger.invariants';
import { moneyInvariants } from './commerce/money.invariants';
import { orderInvariants } from './commerce/order.invariants';
import { paymentInvariants } from './commerce/payment.invariants';
import { providerInvariants } from './commerce/provider.invariants';
import { shipmentInvariants } from './commerce/shipment.invariants';
import { reviewInvariants } from './catalog/review.invariants';
import { refundInvariants } from './commerce/refund.invariants';
import { stockInvariants } from './catalog/stock.invariants';

/** Everything that must hold in the database. An area adds its list here, and a proof for each in tests/db/invariants. */
export const invariantList: readonly (Invariant | ComputedInvariant)[] = [
  ...ledgerInvariants,
  ...catalogueInvariants,
  ...stockInvariants,
  ...orderInvariants,
  ...shipmentInvariants,
  ...moneyInvariants,
  ...paymentInvariants,
  ...refundInvariants,
  ...chargebackInvariants,
  ...providerInvariants,
  ...couponInvariants,
  ...domainEventInvariants,
  ...identityInvariants,
  ...reviewInvariants,
  ...administrationInvariants,
];
