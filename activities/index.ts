import { diskBlobs } from '../db/blobs/disk';
import { addressesAllowedBy } from '../db/investment/provider/config';
import type { Policy } from '../db/policy/config';
import type { Db } from '../db/sql/query';
import type { CheckProcesses } from './administration/operations/check-invariants';
import { jobActivities } from './administration/job/job.activities';
import { eventConsumerActivities } from './administration/domain-event/event-consumer.activities';
import { outboxActivities } from './administration/outbox/outbox.activities';
import { parkingActivities } from './administration/operations/parking.activities';
import { bankTransferActivities } from './commerce/payment-event/bank-transfer.activities';
import { checkoutActivities } from './commerce/checkout/checkout.activities';
import { fulfilmentActivities } from './commerce/order/fulfilment.activities';
import { foreignPaymentActivities } from './commerce/payment-event/look-up/foreign-payment.activities';
import { paymentEventActivities } from './commerce/payment-event/payment-event.activities';
import { paymentLookupActivities } from './commerce/payment-event/look-up/payment-lookup.activities';
import type { Payments } from './commerce/payment/payment-offer';
import { paymentPageActivities } from './commerce/payment-event/payment-page.activities';
import { reconciliationActivities } from './commerce/reconciliation/reconciliation.activities';
import { paymentRefundActivities } from './commerce/refund/payment-refund/payment-refund.activities';
import { payoutActivities } from './commerce/payout/payout.activities';
import { refundRequestActivities } from './commerce/refund/refund-request.activities';
import { sandboxWebhookActivities } from './commerce/sandbox/sandbox-webhook.activities';
import { webhookSweepActivities, type StartProcess } from './commerce/webhook/webhook-sweep.activities';
import { suspensionActivities } from './identity/suspension/suspension.activities';
import { passwordResetActivities } from './identity/password-reset/password-reset.activities';
import { accountDeletionActivities } from './identity/account-deletion/account-deletion.activities';
import { registrationActivities } from './identity/registration/registration.activities';
import { participationActivities } from './investment/participation/participation.activities';
import { entranceActivities } from './partners/membership/entrance.activities';
import { withdrawalActivities } from './investment/withdrawal/withdrawal.activities';
import { kycReviewActivities } from './kyc/review/kyc-review.activities';
import { kycSyncActivities } from './investment/kyc-sync/kyc-sync.activities';
import { providerEventActivities } from './investment/provider-event/provider-event.activities';
import { topUpActivities } from './ledger/top-up/top-up.activities';
import { commissionEffect } from './partners/event/commission-effect';
import { jobWorks } from './jobs';
import { partnerSweepActivities } from './partners/sweep/partner-sweep.activities';
import { poolActivities } from './partners/pool/pool.activities';
import type { ProvidersConfig } from './providers/config';
import type { Driver } from './providers/driver';
import { providerStatements } from './providers/statements';
import { mailProvider } from './providers/mail';
import { outbound } from './providers/outbound/outbound';
import { paymentProviders } from './providers/payments';
import { retiredProviders } from './providers/retired';
import { payoutProviders } from './providers/payouts';
import { BANK } from './providers/payments/bank/driver';
import { readMessage, type ReadMessage } from './providers/payments/read-message';
import { smsProvider } from './providers/sms';

export type { StartProcess } from './commerce/webhook/webhook-sweep.activities';

export interface ActivityDeps {
  db: Db;
  /** The same database through the pool for long statements. */
  longDb: Db;
  /** Connection string, for LISTEN on a dedicated connection. */
  databaseUrl: string;
  start: StartProcess;
  checkProcesses: CheckProcesses;
  config: ProvidersConfig;
  policy: Policy;
  /** By default, those of this release. */
  drivers?: readonly Driver<ProvidersConfig>[] | undefined;
  readMessage?: ReadMessage | undefined;
}

/** The parts of a worker, of which each activity takes its own. */
function partsOf(deps: ActivityDeps) {
  const { db, longDb, databaseUrl, start, checkProcesses, config, policy, drivers } = deps;
  const { PUBLIC_URL: publicUrl, SANDBOX_WEBHOOK_URL: webhookUrl = publicUrl } = config;
  const sandbox = { webhookUrl, secrets: config.SANDBOX_SECRET };
  return {
    db,
    longDb,
    databaseUrl,
    start,
    checkProcesses,
    policy,
    sandbox,
    blobs: diskBlobs(config.BLOB_DIR),
    payments: paymentsOf(config, db, drivers),
    payouts: payoutProviders(config, db, drivers),
    statements: providerStatements(config, db, drivers),
    readMessage: deps.readMessage ?? readMessage,
    drivers: { mail: mailProvider(config), sms: smsProvider(config) },
    outbound: outbound(addressesAllowedBy(config)),
    effects: { commissions: commissionEffect(policy) },
    concurrency: policy.eventConcurrency,
    queueEmail: config.KYC_QUEUE_EMAIL,
  };
}

/** Builds all activities. Throws if the configuration of a provider is incomplete. */
export function buildActivities(activityDeps: ActivityDeps) {
  const parts = partsOf(activityDeps);
  const deps = { ...parts, works: jobWorks(parts) };
  return {
    ...accountDeletionActivities(deps),
    ...bankTransferActivities(deps),
    ...checkoutActivities(deps),
    ...entranceActivities(deps),
    ...eventConsumerActivities(deps),
    ...foreignPaymentActivities(deps),
    ...fulfilmentActivities(deps),
    ...jobActivities(deps),
    ...kycReviewActivities(deps),
    ...kycSyncActivities(deps),
    ...outboxActivities(deps),
    ...parkingActivities(deps),
    ...participationActivities(deps),
    ...partnerSweepActivities(deps),
    ...passwordResetActivities(deps),
    ...paymentEventActivities(deps),
    ...paymentLookupActivities(deps),
    ...paymentPageActivities(deps),
    ...paymentRefundActivities(deps),
    ...payoutActivities(deps),
    ...poolActivities(deps),
    ...providerEventActivities(deps),
    ...reconciliationActivities(deps),
    ...refundRequestActivities(deps),
    ...registrationActivities(deps),
    ...sandboxWebhookActivities(deps),
    ...suspensionActivities(deps),
    ...topUpActivities(deps),
    ...webhookSweepActivities(deps),
    ...withdrawalActivities(deps),
  };
}

/** The providers of buyers' payments. Throws when the provider that is to take payments is none. */
function paymentsOf(config: ProvidersConfig, db: Db, drivers: ActivityDeps['drivers']): Payments {
  const providers = paymentProviders(config, db, drivers);
  const payments: Payments = {
    ...{ providers, retired: retiredProviders(config.PROVIDERS_RETIRED, providers) },
    current: config.PAYMENT_PROVIDER,
    bank: { bankName: config.BANK_NAME, accountNumber: config.BANK_ACCOUNT_NUMBER, bik: config.BANK_BIK },
    accountHolder: config.BANK_HOLDER,
  };
  if (payments.current === BANK || !payments.providers.has(payments.current))
    throw new Error(`PAYMENT_PROVIDER names ${payments.current}, which is no payment provider.`);
  return payments;
}
