import { diskBlobs } from '../db/blobs/disk';
import { addressesAllowedBy } from '../db/investment/provider/config';
import type { Policy } from '../db/policy/config';
import type { Db } from '../db/sql/query';
import type { CheckProcesses } from './administration/operations/check-invariants';
import { jobActivities } from './administration/job/job.activities';
import { eventConsumerActivities } from './administration/domain-event/event-consumer.activities';
import { outboxActivities } from './administration/outbox/outbox.activities';
import { parkingActivities } from './administration/operations/parking.activities';
import { bankTransferActivities } from './commerce/payment/bank-transfer.activities';
import { checkoutActivities } from './commerce/checkout/checkout.activities';
import { fulfilmentActivities } from './commerce/order/fulfilment.activities';
import { foreignPaymentActivities } from './commerce/payment/look-up/foreign-payment.activities';
import { paymentEventActivities } from './commerce/payment/payment-event.activities';
import { paymentLookupActivities } from './commerce/payment/look-up/payment-lookup.activities';
import type { Payments } from './commerce/payment/payment-offer';
import { paymentPageActivities } from './commerce/payment/payment-page.activities';
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
import { commissionEffect } from './partners/commission/commission-effect';
import { jobWorks } from './jobs';
import { partnerSweepActivities } from './partners/sweep/partner-sweep.activities';
import { poolActivities } from './partners/pool/pool.activities';
import type { ProvidersConfig } from './providers/config';
import type { Driver } from './providers/driver';
import { providerStatements } from './providers/statements';
import { mailProvider } from './providers/mail';
import { outbound } from './providers/outbound/outbound';
import { paymentProviders } from './providers/payments';
import { payoutProviders } from './providers/payouts';
import { BANK } from './providers/payments/bank/driver';
import type { ReadMessage } from './providers/payments/read-message';
import { smsProvider } from './providers/sms';

export type { StartProcess } from './commerce/webhook/webhook-sweep.activities';

export interface ActivityDeps {
  db: Db;
  /** The same database by a pool for long work. */
  longDb: Db;
  /** The address of `db`, for users of a connection of its own. */
  databaseUrl: string;
  start: StartProcess;
  checkProcesses: CheckProcesses;
  config: ProvidersConfig;
  policy: Policy;
  /** By default, those of this release. */
  drivers?: readonly Driver<ProvidersConfig>[] | undefined;
  readMessage?: ReadMessage | undefined;
}

/** Everything workers can do. Throws when the configuration of a provider is not whole. */
export function buildActivities({
  db,
  longDb,
  databaseUrl,
  start,
  checkProcesses,
  config,
  policy,
  drivers,
  readMessage,
}: ActivityDeps) {
  const { PUBLIC_URL: publicUrl, SANDBOX_WEBHOOK_URL: webhookUrl = publicUrl } = config;
  const blobs = diskBlobs(config.BLOB_DIR);
  const sandbox = { webhookUrl, secrets: config.SANDBOX_SECRET };
  const payments = paymentsOf(config, db, drivers);
  const statements = providerStatements(config, db, drivers);
  const payouts = payoutProviders(config, db, drivers);
  return {
    ...parkingActivities({ db }),
    ...jobActivities({
      longDb,
      works: jobWorks({ longDb, blobs, checkProcesses, start, statements, policy }),
    }),
    ...eventActivities({ db, start, policy }),
    ...outboxActivities({
      ...{ db, databaseUrl },
      drivers: { mail: mailProvider(config), sms: smsProvider(config) },
    }),
    ...kycSyncActivities({ db, outbound: outbound(addressesAllowedBy(config)), policy }),
    ...topUpActivities({ db, payments, policy }),
    ...partnerSweepActivities({ db, start }),
    ...accountDeletionActivities({ db, blobs, policy }),
    ...registrationActivities({ db, policy }),
    ...passwordResetActivities({ db }),
    ...suspensionActivities({ db }),
    ...participationActivities({ db, payments, policy }),
    ...entranceActivities({ db, payments, policy }),
    ...kycReviewActivities({ db, policy, queueEmail: config.KYC_QUEUE_EMAIL }),
    ...checkoutActivities({ db, payments, policy }),
    ...bankTransferActivities({ db }),
    ...fulfilmentActivities({ db, policy }),
    ...paymentEventActivities({ db, policy, readMessage }),
    ...foreignPaymentActivities({ payments }),
    ...paymentLookupActivities({ db, payments }),
    ...paymentPageActivities({ db, payments }),
    ...paymentRefundActivities({ db, payments, policy }),
    ...reconciliationActivities({
      ...{ db, longDb, statements, policy },
    }),
    ...refundRequestActivities({ db, policy }),
    ...providerEventActivities({ db, policy }),
    ...sandboxWebhookActivities({ db, sandbox }),
    ...poolActivities({ longDb, policy }),
    ...webhookSweepActivities({ db, start }),
    ...withdrawalActivities({ db, payouts, policy }),
    ...payoutActivities({ db, payouts, policy }),
  };
}

/** The consumers of events, and their effects. */
const eventActivities = ({ db, start, policy }: Pick<ActivityDeps, 'db' | 'start' | 'policy'>) =>
  eventConsumerActivities({
    ...{ db, start, concurrency: policy.eventConcurrency },
    effects: { commissions: commissionEffect(policy) },
  });

/** The providers of buyers' payments. Throws when the provider that is to take payments is none. */
function paymentsOf(config: ProvidersConfig, db: Db, drivers: ActivityDeps['drivers']): Payments {
  const payments: Payments = {
    providers: paymentProviders(config, db, drivers),
    current: config.PAYMENT_PROVIDER,
    bank: { bankName: config.BANK_NAME, accountNumber: config.BANK_ACCOUNT_NUMBER, bik: config.BANK_BIK },
    accountHolder: config.BANK_HOLDER,
  };
  if (payments.current === BANK || !payments.providers.has(payments.current))
    throw new Error(`PAYMENT_PROVIDER names ${payments.current}, which is no payment provider.`);
  return payments;
}
