import { eventConsumerProcess } from './administration/domain-event/event-consumer.contract';
import { eventFailureProcess } from './administration/domain-event/event-failure.contract';
import { outboxSenderProcess } from './administration/outbox/outbox-sender.contract';
import { checkoutProcess } from './commerce/checkout/checkout.contract';
import { fulfilmentProcess } from './commerce/fulfilment/fulfilment.contract';
import { bankTransferProcess } from './commerce/payment-event/bank-transfer.contract';
import { paymentEventProcess } from './commerce/payment-event/payment-event.contract';
import { payoutProcess } from './commerce/payout/payout.contract';
import { walletWithdrawalProcess } from './commerce/payout/wallet-withdrawal.contract';
import { reconciliationProcess } from './commerce/reconciliation/reconciliation.contract';
import { paymentRefundProcess } from './commerce/refund/payment-refund.contract';
import { refundRequestProcess } from './commerce/refund/refund-request.contract';
import { sandboxWebhookProcess } from './commerce/sandbox/sandbox-webhook.contract';
import { webhookSweepProcess } from './commerce/webhook/webhook-sweep.contract';
import { accountDeletionProcess } from './identity/account-deletion/account-deletion.contract';
import { passwordResetProcess } from './identity/password-reset/password-reset.contract';
import { registrationProcess } from './identity/registration/registration.contract';
import { suspensionProcess } from './identity/suspension/suspension.contract';
import { kycPushProcess } from './investment/kyc-sync/kyc-push.contract';
import { participationProcess } from './investment/participation/participation.contract';
import { providerEventProcess } from './investment/provider-event/provider-event.contract';
import { withdrawalProcess } from './investment/withdrawal/withdrawal.contract';
import { jobProcess } from './kit/job/job.contract';
import type { ProcessDefinition } from './kit/process';
import { kycReviewProcess } from './kyc/review/kyc-review.contract';
import { topUpProcess } from './ledger/top-up/top-up.contract';
import { entranceProcess } from './partners/membership/entrance.contract';
import { poolProcess } from './partners/pool/pool.contract';
import { partnerSweepProcess } from './partners/sweep/partner-sweep.contract';

/**
 * The processes. From this list follow the rows and processes that are compared, the figures of those that park, and the table of the
 * guide; `index.ts` has their bodies.
 */
export const processes: readonly ProcessDefinition<never>[] = [
  checkoutProcess,
  fulfilmentProcess,
  bankTransferProcess,
  paymentEventProcess,
  refundRequestProcess,
  paymentRefundProcess,
  payoutProcess,
  walletWithdrawalProcess,
  sandboxWebhookProcess,
  reconciliationProcess,
  registrationProcess,
  passwordResetProcess,
  suspensionProcess,
  accountDeletionProcess,
  kycReviewProcess,
  participationProcess,
  entranceProcess,
  topUpProcess,
  outboxSenderProcess,
  webhookSweepProcess,
  kycPushProcess,
  poolProcess,
  withdrawalProcess,
  providerEventProcess,
  eventConsumerProcess,
  eventFailureProcess,
  partnerSweepProcess,
  jobProcess,
];
