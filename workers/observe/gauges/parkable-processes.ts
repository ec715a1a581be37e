import { eventFailureProcess } from '../../../workflows/administration/domain-event/event-failure.contract';
import { bankTransferProcess } from '../../../workflows/commerce/payment/bank-transfer.contract';
import { paymentEventProcess } from '../../../workflows/commerce/payment/payment-event.contract';
import { checkoutProcess } from '../../../workflows/commerce/order/checkout.contract';
import { fulfilmentProcess } from '../../../workflows/commerce/order/fulfilment.contract';
import { payoutProcess } from '../../../workflows/commerce/payout/payout.contract';
import { walletWithdrawalProcess } from '../../../workflows/commerce/payout/wallet-withdrawal.contract';
import { paymentRefundProcess } from '../../../workflows/commerce/refund/payment-refund.contract';
import { reconciliationProcess } from '../../../workflows/commerce/reconciliation/reconciliation.contract';
import { refundRequestProcess } from '../../../workflows/commerce/refund/refund-request.contract';
import { accountDeletionProcess } from '../../../workflows/identity/account-deletion/account-deletion.contract';
import { passwordResetProcess } from '../../../workflows/identity/password-reset/password-reset.contract';
import { registrationProcess } from '../../../workflows/identity/registration/registration.contract';
import { participationProcess } from '../../../workflows/investment/participation/participation.contract';
import { providerEventProcess } from '../../../workflows/investment/provider-event/provider-event.contract';
import { withdrawalProcess } from '../../../workflows/investment/withdrawal/withdrawal.contract';
import { kycReviewProcess } from '../../../workflows/kyc/review/kyc-review.contract';
import { entranceProcess } from '../../../workflows/partners/membership/entrance.contract';
import { poolProcess } from '../../../workflows/partners/pool/pool.contract';
import { topUpProcess } from '../../../workflows/ledger/top-up/top-up.contract';
import { suspensionProcess } from '../../../workflows/identity/suspension/suspension.contract';

/** The types of the processes that can park; their gauges are 0 while none does. */
export const PARKABLE_TYPES: readonly string[] = [
  accountDeletionProcess,
  bankTransferProcess,
  checkoutProcess,
  eventFailureProcess,
  fulfilmentProcess,
  entranceProcess,
  kycReviewProcess,
  participationProcess,
  passwordResetProcess,
  paymentEventProcess,
  paymentRefundProcess,
  payoutProcess,
  poolProcess,
  providerEventProcess,
  reconciliationProcess,
  refundRequestProcess,
  registrationProcess,
  suspensionProcess,
  topUpProcess,
  walletWithdrawalProcess,
  withdrawalProcess,
].map(({ type }) => type);
