import { administrationInvariants } from './administration.invariants';
import { catalogueInvariants } from './catalogue.invariants';
import { chargebackInvariants } from './chargeback.invariants';
import { couponInvariants } from './coupon.invariants';
import { domainEventInvariants } from './domain-event.invariants';
import { identityInvariants } from './identity.invariants';
import type { ComputedInvariant, Invariant } from './invariant';
import { ledgerInvariants } from './ledger.invariants';
import { moneyInvariants } from './money.invariants';
import { orderInvariants } from './order.invariants';
import { paymentInvariants } from './payment.invariants';
import { providerInvariants } from './provider.invariants';
import { shipmentInvariants } from './shipment.invariants';
import { reviewInvariants } from './review.invariants';
import { refundInvariants } from './refund.invariants';
import { stockInvariants } from './stock.invariants';

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
