import { checkoutProcess } from '../../workflows/commerce/order/checkout.contract';
import { fulfilmentProcess } from '../../workflows/commerce/order/fulfilment.contract';
import { paymentEventProcess } from '../../workflows/commerce/payment/payment-event.contract';
import { paymentRefundProcess } from '../../workflows/commerce/refund/payment-refund.contract';
import { refundRequestProcess } from '../../workflows/commerce/refund/refund-request.contract';
import { registrationProcess } from '../../workflows/identity/registration/registration.contract';
import { suspensionProcess } from '../../workflows/identity/suspension/suspension.contract';
import { accountDeletionProcess } from '../../workflows/identity/account-deletion/account-deletion.contract';
import { participationProcess } from '../../workflows/investment/participation/participation.contract';
import { kycReviewProcess } from '../../workflows/kyc/review/kyc-review.contract';
import { withdrawalProcess } from '../../workflows/investment/withdrawal/withdrawal.contract';
import { drivenEventFailures } from './rows/driven-events';
import { drivenEntrances, drivenPools } from './rows/driven-partners';
import { drivenPayouts } from './rows/driven-payouts';
import { driven, type Driven } from './driven';
import { payableId } from '../../db/commerce/payment/payable';
import { drivenTopUps } from './ledger/driven-top-ups';
import { providerEventProcess } from '../../workflows/investment/provider-event/provider-event.contract';
import { reportsOf } from './rows/driven-reports';

const ORDER = { table: 'orders', columns: `id AS order_id, user_id` };
const ORDER_STATE = { detail: `format('order %s is %s', number, status)`, since: 'updated_at' };
const USER = { table: 'users', columns: `id AS user_id`, rowIsFirst: true };

const orderOf = ({ orderId = '', userId = '' }: Record<string, string>) => ({ orderId, userId });
const userOf = ({ userId = '' }: Record<string, string>) => ({ userId });

/** Every process that drives rows. An area adds an entry for each of its processes that owns a row. */
export const drivenRows: readonly Driven[] = [
  driven(
    checkoutProcess,
    {
      ...ORDER,
      open: { ...ORDER_STATE, where: `status = 'PENDING_PAYMENT'` },
      settled: { ...ORDER_STATE, where: `status <> 'PENDING_PAYMENT'` },
    },
    orderOf,
  ),
  driven(
    fulfilmentProcess,
    {
      ...ORDER,
      open: { ...ORDER_STATE, where: `status IN ('PAID', 'PROCESSING', 'SHIPPED')` },
      settled: { ...ORDER_STATE, where: `status IN ('DELIVERED', 'CANCELLED', 'REFUNDED')` },
    },
    orderOf,
    [checkoutProcess], // Checkout still drives an order that was just paid, until it starts fulfilment.
  ),
  driven(
    paymentRefundProcess,
    {
      table: 'payment_refunds',
      columns: `id AS refund_id, order_id`,
      open: {
        where: `status = 'PROCESSING'`,
        detail: `format('refund of %s is PROCESSING', ${payableId()})`,
        since: 'created_at',
      },
      settled: {
        where: `status <> 'PROCESSING'`,
        detail: `'refund is ' || status`,
        since: 'coalesce(completed_at, created_at)',
      },
    },
    ({ refundId = '', orderId = '' }) => ({ refundId, orderId }),
  ),
  driven(
    refundRequestProcess,
    {
      table: 'refund_requests',
      columns: `id AS refund_request_id, order_id, user_id`,
      open: {
        where: `status IN ('PENDING_REVIEW', 'APPROVED', 'PROCESSING')`,
        detail: `format('refund of order %s is %s', order_id, status)`,
        since: 'coalesce(decided_at, created_at)',
      },
      settled: {
        where: 'concluded_at IS NOT NULL',
        detail: `'the request is ' || status`,
        since: 'concluded_at',
      },
    },
    ({ refundRequestId = '', orderId = '', userId = '' }) => ({ refundRequestId, orderId, userId }),
  ),
  reportsOf(paymentEventProcess, 'PAYMENT'),
  reportsOf(providerEventProcess, 'INVESTMENT'),
  driven(
    suspensionProcess,
    {
      ...USER,
      open: {
        where: `status = 'SUSPENDED' AND suspended_until IS NOT NULL`,
        detail: `'user is SUSPENDED until ' || suspended_until`,
        since: 'suspended_at',
      },
      settled: { where: `status <> 'SUSPENDED'`, detail: `'user is ' || status`, since: 'updated_at' },
    },
    userOf,
  ),
  driven(
    accountDeletionProcess,
    {
      ...USER,
      open: {
        where: 'deletion_due_at IS NOT NULL',
        detail: `'the account is to be erased at ' || deletion_due_at`,
        since: 'updated_at',
      },
      settled: {
        where: 'deletion_due_at IS NULL',
        detail: `'the account is not to be erased'`,
        since: 'updated_at',
      },
    },
    userOf,
  ),
  driven(
    registrationProcess,
    {
      ...USER,
      rowIsFirst: false,
      open: {
        where: `status = 'PENDING_VERIFICATION'`,
        detail: `'user is PENDING_VERIFICATION'`,
        since: 'created_at',
      },
      settled: {
        where: 'email_verified_at IS NOT NULL',
        detail: `'the e-mail address is verified'`,
        since: 'updated_at',
      },
    },
    userOf,
  ),
  driven(
    kycReviewProcess,
    {
      table: 'kyc_verifications',
      columns: `id AS kyc_id, user_id`,
      open: {
        where: `status IN ('SUBMITTED', 'UNDER_REVIEW', 'NEEDS_INFO')`,
        detail: `'the verification is ' || status`,
        since: 'submitted_at',
      },
      // One whose account was erased, WITHDRAWN, still has its process until that looks at it again.
      settled: {
        where: `status IN ('APPROVED', 'REJECTED', 'EXPIRED', 'SUPERSEDED')`,
        detail: `'the verification is ' || status`,
        since: 'updated_at',
      },
    },
    ({ kycId = '', userId = '' }) => ({ kycId, userId }),
  ),
  driven(
    withdrawalProcess,
    {
      table: 'investment_withdrawals',
      columns: `id AS withdrawal_id, participation_id, user_id`,
      open: {
        where: `status = 'PROCESSING'`,
        detail: `'the withdrawal is on its way by ' || provider`,
        since: 'created_at',
      },
      settled: {
        where: `status <> 'PROCESSING'`,
        detail: `'the withdrawal is ' || status`,
        since: 'ended_at',
      },
    },
    ({ withdrawalId = '', participationId = '', userId = '' }) => ({ withdrawalId, participationId, userId }),
  ),
  driven(
    participationProcess,
    {
      table: 'participations',
      columns: `id AS participation_id, user_id`,
      open: {
        where: `status IN ('PENDING_PAYMENT', 'ACTIVE')`,
        detail: `format('participation %s is %s', number, status)`,
        since: 'coalesce(started_at, created_at)',
      },
      settled: {
        where: `status IN ('MATURED', 'WITHDRAWN', 'CANCELLED')`,
        detail: `format('participation %s is %s', number, status)`,
        since: 'ended_at',
      },
    },
    ({ participationId = '', userId = '' }) => ({ participationId, userId }),
  ),
  ...drivenPayouts,
  drivenTopUps,
  drivenEntrances,
  drivenEventFailures,
  drivenPools,
];
