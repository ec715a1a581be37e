import type { QueryInterface } from 'sequelize';
import * as platform from './migrations/0001-platform';
import * as identity from './migrations/0002-identity';
import * as ledger from './migrations/0003-ledger';
import * as catalog from './migrations/0004-catalog';
import * as pricing from './migrations/0005-pricing';
import * as orders from './migrations/0006-orders';
import * as payments from './migrations/0007-payments';
import * as requestNotes from './migrations/0008-request-notes';
import * as invariants from './migrations/0009-invariants';
import * as catalogueChanges from './migrations/0010-catalogue-changes';
import * as accounts from './migrations/0011-accounts';
import * as registration from './migrations/0012-registration';
import * as secondFactor from './migrations/0013-second-factor';
import * as account from './migrations/0014-account';
import * as onboarding from './migrations/0015-onboarding';
import * as userNotes from './migrations/0016-user-notes';
import * as externalSignIn from './migrations/0017-external-sign-in';
import * as reviews from './migrations/0018-reviews';
import * as shipments from './migrations/0019-shipments';
import * as refundRequests from './migrations/0020-refund-requests';
import * as chargebacks from './migrations/0021-chargebacks';
import * as domainEvents from './migrations/0022-domain-events';
import * as goodsAdministration from './migrations/0023-goods-administration';
import * as catalogueCounts from './migrations/0025-catalogue-counts';
import * as shownDiscounts from './migrations/0026-shown-discounts';
import * as archivedProducts from './migrations/0027-archived-products';
import * as bankTransfers from './migrations/0028-bank-transfers';
import * as clearingAccounts from './migrations/0029-clearing-accounts';
import * as refundSettlement from './migrations/0030-refund-settlement';
import * as refundShares from './migrations/0031-refund-shares';
import * as tries from './migrations/0032-tries';
import * as freshSignIn from './migrations/0033-fresh-sign-in';
import * as provenPhones from './migrations/0034-proven-phones';
import * as auditKeys from './migrations/0035-audit-keys';
import * as sealedOutbox from './migrations/0036-sealed-outbox';
import * as retention from './migrations/0037-retention';
import * as ledgerReconciliations from './migrations/0038-ledger-reconciliations';
import * as recentChanges from './migrations/0039-recent-changes';
import * as bankReferences from './migrations/0040-bank-references';
import * as chargedBackRefunds from './migrations/0041-charged-back-refunds';
import * as tokenUses from './migrations/0042-token-uses';
import * as askedRefunds from './migrations/0043-asked-refunds';
import * as refundIndexes from './migrations/0044-refund-indexes';
import * as pendingRegistrations from './migrations/0045-pending-registrations';
import * as orderAdministration from './migrations/0046-order-administration';
import * as operationsInView from './migrations/0047-operations-in-view';
import * as offeredPayments from './migrations/0048-offered-payments';
import * as parkedRuns from './migrations/0049-parked-runs';
import * as identityVerification from './migrations/0050-identity-verification';
import * as strategies from './migrations/0051-strategies';
import * as participations from './migrations/0052-participations';
import * as payables from './migrations/0053-payables';
import * as payablesChecked from './migrations/0054-payables-checked';
import * as strategyCatalogue from './migrations/0055-strategy-catalogue';
import * as providerExchange from './migrations/0056-provider-exchange';
import * as withdrawals from './migrations/0057-withdrawals';
import * as providerEvents from './migrations/0058-provider-events';
import * as participationPayouts from './migrations/0059-payouts-of-participations';
import * as investmentIndexes from './migrations/0060-investment-indexes';
import * as partnerProgramme from './migrations/0061-partner-programme';
import * as partnerNetwork from './migrations/0062-partner-network';
import * as commissions from './migrations/0063-commissions';
import * as commissionQueue from './migrations/0064-commission-queue';
import * as links from './migrations/0065-referral-links';
import * as entrances from './migrations/0066-entrances';
import * as pools from './migrations/0067-pools';
import * as commissionLists from './migrations/0068-commission-lists';
import * as ledgerBalances from './migrations/0069-ledger-balances';
import * as payouts from './migrations/0070-payouts';
import * as topUps from './migrations/0071-top-ups';
import * as transferDrivers from './migrations/0072-transfer-drivers';
import * as reconciliation from './migrations/0073-reconciliation';
import * as analytics from './migrations/0074-analytics';
import * as operations from './migrations/0075-operations';
import * as restores from './migrations/0076-restores';

export interface Migration {
  readonly name: string;
  /**
   * Runs it without a transaction, for `CREATE INDEX CONCURRENTLY`, which lets rows be written meanwhile. Each of its steps
   * has to be safe to repeat: after a kill all of it runs again.
   */
  readonly outsideTransaction?: true;
  readonly up: (query: QueryInterface) => Promise<void>;
  readonly down: (query: QueryInterface) => Promise<void>;
}

/**
 * Every migration in its order, by the name of its file, under which databases record it. There never was a 0024;
 * numbers are not reused, since databases record the names.
 */
export const migrationList: readonly Migration[] = [
  { name: '0001-platform', up: platform.up, down: platform.down },
  { name: '0002-identity', up: identity.up, down: identity.down },
  { name: '0003-ledger', up: ledger.up, down: ledger.down },
  { name: '0004-catalog', up: catalog.up, down: catalog.down },
  { name: '0005-pricing', up: pricing.up, down: pricing.down },
  { name: '0006-orders', up: orders.up, down: orders.down },
  { name: '0007-payments', up: payments.up, down: payments.down },
  { name: '0008-request-notes', up: requestNotes.up, down: requestNotes.down },
  { name: '0009-invariants', up: invariants.up, down: invariants.down },
  { name: '0010-catalogue-changes', up: catalogueChanges.up, down: catalogueChanges.down },
  { name: '0011-accounts', up: accounts.up, down: accounts.down },
  { name: '0012-registration', up: registration.up, down: registration.down },
  { name: '0013-second-factor', up: secondFactor.up, down: secondFactor.down },
  { name: '0014-account', up: account.up, down: account.down },
  { name: '0015-onboarding', up: onboarding.up, down: onboarding.down },
  { name: '0016-user-notes', up: userNotes.up, down: userNotes.down },
  { name: '0017-external-sign-in', up: externalSignIn.up, down: externalSignIn.down },
  { name: '0018-reviews', up: reviews.up, down: reviews.down },
  { name: '0019-shipments', up: shipments.up, down: shipments.down },
  { name: '0020-refund-requests', up: refundRequests.up, down: refundRequests.down },
  { name: '0021-chargebacks', up: chargebacks.up, down: chargebacks.down },
  { name: '0022-domain-events', up: domainEvents.up, down: domainEvents.down },
  { name: '0023-goods-administration', up: goodsAdministration.up, down: goodsAdministration.down },
  { name: '0025-catalogue-counts', up: catalogueCounts.up, down: catalogueCounts.down },
  { name: '0026-shown-discounts', up: shownDiscounts.up, down: shownDiscounts.down },
  { name: '0027-archived-products', up: archivedProducts.up, down: archivedProducts.down },
  { name: '0028-bank-transfers', up: bankTransfers.up, down: bankTransfers.down },
  { name: '0029-clearing-accounts', up: clearingAccounts.up, down: clearingAccounts.down },
  { name: '0030-refund-settlement', up: refundSettlement.up, down: refundSettlement.down },
  { name: '0031-refund-shares', up: refundShares.up, down: refundShares.down },
  { name: '0032-tries', up: tries.up, down: tries.down },
  { name: '0033-fresh-sign-in', up: freshSignIn.up, down: freshSignIn.down },
  { name: '0034-proven-phones', up: provenPhones.up, down: provenPhones.down },
  { name: '0035-audit-keys', up: auditKeys.up, down: auditKeys.down },
  { name: '0036-sealed-outbox', up: sealedOutbox.up, down: sealedOutbox.down },
  { name: '0037-retention', up: retention.up, down: retention.down },
  { name: '0038-ledger-reconciliations', up: ledgerReconciliations.up, down: ledgerReconciliations.down },
  { name: '0039-recent-changes', up: recentChanges.up, down: recentChanges.down },
  { name: '0040-bank-references', up: bankReferences.up, down: bankReferences.down },
  { name: '0041-charged-back-refunds', up: chargedBackRefunds.up, down: chargedBackRefunds.down },
  { name: '0042-token-uses', up: tokenUses.up, down: tokenUses.down },
  { name: '0043-asked-refunds', up: askedRefunds.up, down: askedRefunds.down },
  { name: '0044-refund-indexes', up: refundIndexes.up, down: refundIndexes.down },
  { name: '0045-pending-registrations', up: pendingRegistrations.up, down: pendingRegistrations.down },
  { name: '0046-order-administration', up: orderAdministration.up, down: orderAdministration.down },
  { name: '0047-operations-in-view', up: operationsInView.up, down: operationsInView.down },
  { name: '0048-offered-payments', up: offeredPayments.up, down: offeredPayments.down },
  { name: '0049-parked-runs', up: parkedRuns.up, down: parkedRuns.down },
  { name: '0050-identity-verification', up: identityVerification.up, down: identityVerification.down },
  { name: '0051-strategies', up: strategies.up, down: strategies.down },
  { name: '0052-participations', up: participations.up, down: participations.down },
  { name: '0053-payables', outsideTransaction: true, up: payables.up, down: payables.down },
  {
    name: '0054-payables-checked',
    outsideTransaction: true,
    up: payablesChecked.up,
    down: payablesChecked.down,
  },
  { name: '0055-strategy-catalogue', up: strategyCatalogue.up, down: strategyCatalogue.down },
  { name: '0056-provider-exchange', up: providerExchange.up, down: providerExchange.down },
  { name: '0057-withdrawals', up: withdrawals.up, down: withdrawals.down },
  { name: '0058-provider-events', up: providerEvents.up, down: providerEvents.down },
  {
    name: '0059-payouts-of-participations',
    up: participationPayouts.up,
    down: participationPayouts.down,
  },
  {
    name: '0060-investment-indexes',
    outsideTransaction: true,
    up: investmentIndexes.up,
    down: investmentIndexes.down,
  },
  { name: '0061-partner-programme', up: partnerProgramme.up, down: partnerProgramme.down },
  { name: '0062-partner-network', up: partnerNetwork.up, down: partnerNetwork.down },
  { name: '0063-commissions', up: commissions.up, down: commissions.down },
  {
    name: '0064-commission-queue',
    outsideTransaction: true,
    up: commissionQueue.up,
    down: commissionQueue.down,
  },
  { name: '0065-referral-links', outsideTransaction: true, up: links.up, down: links.down },
  { name: '0066-entrances', outsideTransaction: true, up: entrances.up, down: entrances.down },
  { name: '0067-pools', up: pools.up, down: pools.down },
  {
    name: '0068-commission-lists',
    outsideTransaction: true,
    up: commissionLists.up,
    down: commissionLists.down,
  },
  { name: '0069-ledger-balances', up: ledgerBalances.up, down: ledgerBalances.down },
  { name: '0070-payouts', outsideTransaction: true, up: payouts.up, down: payouts.down },
  { name: '0071-top-ups', outsideTransaction: true, up: topUps.up, down: topUps.down },
  { name: '0072-transfer-drivers', up: transferDrivers.up, down: transferDrivers.down },
  {
    name: '0073-reconciliation',
    outsideTransaction: true,
    up: reconciliation.up,
    down: reconciliation.down,
  },
  { name: '0074-analytics', outsideTransaction: true, up: analytics.up, down: analytics.down },
  { name: '0075-operations', outsideTransaction: true, up: operations.up, down: operations.down },
  { name: '0076-restores', up: restores.up, down: restores.down },
];
