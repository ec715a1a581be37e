import { diskBlobs } from '../db/blobs/disk';
import type { Policy } from '../db/policy/config';
import type { Db } from '../db/sql/query';
import type { CheckProcesses } from './administration/operations/check-invariants';
import { invariantCheckActivities } from './administration/operations/invariant-check.activities';
import { outboxActivities } from './administration/outbox/outbox.activities';
import { parkingActivities } from './administration/operations/parking.activities';
import { retentionActivities } from './administration/retention/retention.activities';
import { popularityActivities } from './catalog/popularity/popularity.activities';
import { bankTransferActivities } from './commerce/payment/bank-transfer.activities';
import { checkoutActivities } from './commerce/checkout/checkout.activities';
import { fulfilmentActivities } from './commerce/order/fulfilment.activities';
import { paymentEventActivities } from './commerce/payment/payment-event.activities';
import { paymentLookupActivities } from './commerce/payment/payment-lookup.activities';
import type { Payments } from './commerce/payment/payment-offer';
import { paymentPageActivities } from './commerce/payment/payment-page.activities';
import { paymentRefundActivities } from './commerce/refund/payment-refund/payment-refund.activities';
import { refundRequestActivities } from './commerce/refund/refund-request.activities';
import { sandboxWebhookActivities } from './commerce/sandbox/sandbox-webhook.activities';
import { webhookSweepActivities, type StartProcess } from './commerce/webhook/webhook-sweep.activities';
import { suspensionActivities } from './identity/suspension/suspension.activities';
import { passwordResetActivities } from './identity/password-reset/password-reset.activities';
import { accountDeletionActivities } from './identity/account-deletion/account-deletion.activities';
import { registrationActivities } from './identity/registration/registration.activities';
import { ledgerReconciliationActivities } from './ledger/ledger-reconciliation.activities';
import type { ProvidersConfig } from './providers/config';
import { mailProvider } from './providers/mail';
import { paymentProviders } from './providers/payments';
import { BANK } from './providers/payments/bank/bank';
import { stripeSettings } from './providers/payments/stripe/settings';
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
}: ActivityDeps) {
  const { PUBLIC_URL: publicUrl, SANDBOX_WEBHOOK_URL: webhookUrl = publicUrl } = config;
  const blobs = diskBlobs(config.BLOB_DIR);
  const sandbox = { publicUrl, webhookUrl, secrets: config.SANDBOX_SECRET };
  const payments: Payments = {
    providers: paymentProviders({ sandbox, stripe: stripeSettings(config) }, db),
    current: config.PAYMENT_PROVIDER,
    bank: { bankName: config.BANK_NAME, accountNumber: config.BANK_ACCOUNT_NUMBER, bik: config.BANK_BIK },
    accountHolder: config.BANK_HOLDER,
  };
  if (payments.current === BANK || !payments.providers.has(payments.current))
    throw new Error(`PAYMENT_PROVIDER names ${payments.current}, which is no payment provider.`);
  return {
    ...parkingActivities({ db }),
    ...outboxActivities({
      db,
      databaseUrl,
      drivers: { mail: mailProvider(config), sms: smsProvider(config) },
    }),
    ...retentionActivities({ db: longDb, blobs, policy }),
    ...invariantCheckActivities({ db, longDb, checkProcesses }),
    ...popularityActivities({ db: longDb, policy }),
    ...ledgerReconciliationActivities({ longDb }),
    ...accountDeletionActivities({ db, blobs, policy }),
    ...registrationActivities({ db, policy }),
    ...passwordResetActivities({ db }),
    ...suspensionActivities({ db }),
    ...checkoutActivities({ db, payments, policy }),
    ...bankTransferActivities({ db }),
    ...fulfilmentActivities({ db, policy }),
    ...paymentEventActivities({ db, policy }),
    ...paymentLookupActivities({ db, payments }),
    ...paymentPageActivities({ db, payments }),
    ...paymentRefundActivities({ db, payments, policy }),
    ...refundRequestActivities({ db, policy }),
    ...sandboxWebhookActivities({ db, sandbox }),
    ...webhookSweepActivities({ db, start }),
  };
}
