import { z } from 'zod';
import type { ParkedProcessView } from '../../../db/administration/operations/parking.reads';
import { checkoutProcess } from '../../../workflows/commerce/checkout/checkout.contract';
import { fulfilmentProcess } from '../../../workflows/commerce/fulfilment/fulfilment.contract';
import { paymentEventProcess } from '../../../workflows/commerce/payment-event/payment-event.contract';
import { payoutProcess } from '../../../workflows/commerce/payout/payout.contract';
import { walletWithdrawalProcess } from '../../../workflows/commerce/payout/wallet-withdrawal.contract';
import { paymentRefundProcess } from '../../../workflows/commerce/refund/payment-refund.contract';
import { refundRequestProcess } from '../../../workflows/commerce/refund/refund-request.contract';
import { accountDeletionProcess } from '../../../workflows/identity/account-deletion/account-deletion.contract';
import { registrationProcess } from '../../../workflows/identity/registration/registration.contract';
import { suspensionProcess } from '../../../workflows/identity/suspension/suspension.contract';
import { participationProcess } from '../../../workflows/investment/participation/participation.contract';
import { providerEventProcess } from '../../../workflows/investment/provider-event/provider-event.contract';
import { withdrawalProcess } from '../../../workflows/investment/withdrawal/withdrawal.contract';
import { kycReviewProcess } from '../../../workflows/kyc/review/kyc-review.contract';
import { topUpProcess } from '../../../workflows/ledger/top-up/top-up.contract';
import { entranceProcess } from '../../../workflows/partners/membership/entrance.contract';
import { poolProcess } from '../../../workflows/partners/pool/pool.contract';

const BASE = '/api/v1';

/**
 * The path under which an administrator reads what a process of this type is about; its id follows. Top-ups are read in
 * their list.
 */
const PATHS: Readonly<Record<string, string>> = {
  [accountDeletionProcess.type]: '/admin/users/',
  [checkoutProcess.type]: '/admin/orders/',
  [entranceProcess.type]: '/admin/users/',
  [fulfilmentProcess.type]: '/admin/orders/',
  [kycReviewProcess.type]: '/admin/kyc/',
  [participationProcess.type]: '/admin/participations/',
  [paymentEventProcess.type]: '/admin/webhook-events/',
  [paymentRefundProcess.type]: '/admin/payment-refunds/',
  [payoutProcess.type]: '/admin/payouts/',
  [poolProcess.type]: '/admin/pools/',
  [providerEventProcess.type]: '/admin/webhook-events/',
  [refundRequestProcess.type]: '/admin/refunds/',
  [registrationProcess.type]: '/admin/users/',
  [suspensionProcess.type]: '/admin/users/',
  [topUpProcess.type]: '/admin/top-ups?topUp=',
  [walletWithdrawalProcess.type]: '/admin/wallet-withdrawals/',
  [withdrawalProcess.type]: '/admin/withdrawals/',
};

const path = (example: string, description: string) =>
  z
    .string()
    .nullable()
    .meta({ description, example: `${BASE}${example}/0199f3a2-51b0-7e08-8c47-6f0d9b3e2a15` });

export const OperationLinks = z
  .object({
    entity: path(
      '/admin/payouts',
      'What it is about; null if that has no path of its own, as a pool that is not counted yet.',
    ),
    order: path('/admin/orders', 'The order that it is about; null without one.'),
    user: path('/admin/users', 'The person whose matter it is; null if it is nobody’s.'),
    temporal: z.url().nullable().meta({
      description: 'The process in the Temporal UI; null where the address of that is not configured.',
      example: 'http://localhost:8233/namespaces/default/workflows/checkout%3A0199f3a2',
    }),
  })
  .meta({ id: 'OperationLinks', description: 'Where more is to be read.' });

type Linked = Pick<
  ParkedProcessView,
  'workflowId' | 'runId' | 'type' | 'entityId' | 'poolRunId' | 'orderId' | 'userId'
>;

/** `temporalUi`: the address under which the Temporal UI shows the processes of our namespace; null: not configured. */
export const linksOf = (
  { workflowId, runId, type, entityId, poolRunId, orderId, userId }: Linked,
  temporalUi: string | null,
): z.output<typeof OperationLinks> => ({
  entity: linked(PATHS[type], type === poolProcess.type ? poolRunId : entityId),
  order: linked('/admin/orders/', orderId),
  user: linked('/admin/users/', userId),
  temporal: temporalUi && [temporalUi, encodeURIComponent(workflowId), runId, 'history'].join('/'),
});

const linked = (of: string | undefined, id: string | null): string | null =>
  of === undefined || id === null ? null : `${BASE}${of}${encodeURIComponent(id)}`;
