import { bankTransferProcess } from '../../workflows/commerce/payment/bank-transfer.contract';
import { paymentEventProcess } from '../../workflows/commerce/payment/payment-event.contract';
import { checkoutProcess } from '../../workflows/commerce/order/checkout.contract';
import { fulfilmentProcess } from '../../workflows/commerce/order/fulfilment.contract';
import { paymentRefundProcess } from '../../workflows/commerce/refund/payment-refund.contract';
import { refundRequestProcess } from '../../workflows/commerce/refund/refund-request.contract';
import { accountDeletionProcess } from '../../workflows/identity/account-deletion/account-deletion.contract';
import { passwordResetProcess } from '../../workflows/identity/password-reset/password-reset.contract';
import { registrationProcess } from '../../workflows/identity/registration/registration.contract';
import { suspensionProcess } from '../../workflows/identity/suspension/suspension.contract';

/** The types of the processes that can park; their gauges are 0 while none does. */
export const PARKABLE_TYPES: readonly string[] = [
  accountDeletionProcess,
  bankTransferProcess,
  checkoutProcess,
  fulfilmentProcess,
  passwordResetProcess,
  paymentEventProcess,
  paymentRefundProcess,
  refundRequestProcess,
  registrationProcess,
  suspensionProcess,
].map(({ type }) => type);
