import { v7 } from 'uuid';
import type { Activities } from '../support/worlds/work';
import { eventFailureProcess } from '../../workflows/administration/domain-event/event-failure.contract';
import { checkoutProcess } from '../../workflows/commerce/checkout/checkout.contract';
import { fulfilmentProcess } from '../../workflows/commerce/fulfilment/fulfilment.contract';
import { payoutProcess } from '../../workflows/commerce/payout/payout.contract';
import { walletWithdrawalProcess } from '../../workflows/commerce/payout/wallet-withdrawal.contract';
import { reconciliationProcess } from '../../workflows/commerce/reconciliation/reconciliation.contract';
import { paymentRefundProcess } from '../../workflows/commerce/refund/payment-refund.contract';
import { refundRequestProcess } from '../../workflows/commerce/refund/refund-request.contract';
import { accountDeletionProcess } from '../../workflows/identity/account-deletion/account-deletion.contract';
import { passwordResetProcess } from '../../workflows/identity/password-reset/password-reset.contract';
import { registrationProcess } from '../../workflows/identity/registration/registration.contract';
import { suspensionProcess } from '../../workflows/identity/suspension/suspension.contract';
import { participationProcess } from '../../workflows/investment/participation/participation.contract';
import { withdrawalProcess } from '../../workflows/investment/withdrawal/withdrawal.contract';
import type { ProcessDefinition } from '../../workflows/kit/process';
import { kycReviewProcess } from '../../workflows/kyc/review/kyc-review.contract';
import { topUpProcess } from '../../workflows/ledger/top-up/top-up.contract';
import { entranceProcess } from '../../workflows/partners/membership/entrance.contract';
import { poolProcess } from '../../workflows/partners/pool/pool.contract';

/** A process that is started about something that no row is about; `about`: the id in the input of its steps. */
interface AboutNothing {
  process: ProcessDefinition<unknown>;
  input: unknown;
  about: string;
}

function aboutNothing<Input>(process: ProcessDefinition<Input>, input: (id: string) => Input): AboutNothing {
  const about = v7();
  return { process: process as ProcessDefinition<unknown>, input: input(about), about };
}

/** A day that has ended, and can be compared. */
const DAY = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10);

/** One process of each type that can park and needs no row to do so. */
export const ABOUT_NOTHING: readonly AboutNothing[] = [
  aboutNothing(accountDeletionProcess, (userId) => ({ userId })),
  aboutNothing(checkoutProcess, (orderId) => ({ orderId, userId: v7() })),
  aboutNothing(entranceProcess, (userId) => ({ userId })),
  aboutNothing(fulfilmentProcess, (orderId) => ({ orderId, userId: v7() })),
  aboutNothing(kycReviewProcess, (kycId) => ({ kycId, userId: v7() })),
  aboutNothing(participationProcess, (participationId) => ({ participationId, userId: v7() })),
  aboutNothing(passwordResetProcess, (resetRequestId) => ({ resetRequestId })),
  aboutNothing(paymentRefundProcess, (refundId) => ({ refundId, orderId: v7() })),
  aboutNothing(payoutProcess, (payoutId) => ({ payoutId, userId: v7() })),
  aboutNothing(refundRequestProcess, (refundRequestId) => ({ refundRequestId, orderId: v7(), userId: v7() })),
  aboutNothing(registrationProcess, (userId) => ({ userId })),
  aboutNothing(suspensionProcess, (userId) => ({ userId })),
  aboutNothing(topUpProcess, (topUpId) => ({ topUpId, userId: v7() })),
  aboutNothing(walletWithdrawalProcess, (payoutId) => ({ payoutId, userId: v7() })),
  aboutNothing(withdrawalProcess, (withdrawalId) => ({ withdrawalId, participationId: v7(), userId: v7() })),
  {
    process: eventFailureProcess as ProcessDefinition<unknown>,
    input: { consumer: 'commissions', position: 987_654_321 },
    about: '987654321',
  },
  {
    process: poolProcess as ProcessDefinition<unknown>,
    input: { kind: 'WEEKLY', period: '2026-W40' },
    about: '2026-W40',
  },
  {
    process: reconciliationProcess as ProcessDefinition<unknown>,
    input: { provider: 'sandbox', day: DAY },
    about: DAY,
  },
];

/** The steps that fail for them, or for what has rows. */
export const FAILING_STEPS = [
  ...['applyPaymentEvent', 'applyProviderEvent', 'beginProcessing', 'confirmTransfer', 'countPool'],
  ...['dueDeletion', 'entranceState', 'kycReviewState', 'mailPasswordReset', 'orderState'],
  ...['participationState', 'paymentRefundState', 'payoutState', 'readStatement', 'readSuspension'],
  ...['refundRequestState', 'registrationState', 'retryDelivery', 'topUpState', 'withdrawalState'],
] as readonly string[] as readonly (keyof Activities)[];
