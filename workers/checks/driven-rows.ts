import { checkoutProcess } from '../../workflows/commerce/order/checkout.contract';
import { fulfilmentProcess } from '../../workflows/commerce/order/fulfilment.contract';
import { paymentEventProcess } from '../../workflows/commerce/payment/payment-event.contract';
import { paymentRefundProcess } from '../../workflows/commerce/refund/payment-refund.contract';
import { refundRequestProcess } from '../../workflows/commerce/refund/refund-request.contract';
import { registrationProcess } from '../../workflows/identity/registration/registration.contract';
import { suspensionProcess } from '../../workflows/identity/suspension/suspension.contract';
import { accountDeletionProcess } from '../../workflows/identity/account-deletion/account-deletion.contract';
import type { ProcessDefinition } from '../../workflows/kit/process';

/** A row and the processes that may drive it. */
export interface DrivenRow {
  /** The id that its process carries as its search attribute. */
  entity: string;
  detail: string;
  /** One of these processes must run while the row is open; the first is the row's own. */
  workflowIds: readonly [string, ...string[]];
}

/** Rows in a state, as SQL: a condition, a description of each row, and the column with the start of the state. */
interface RowState {
  readonly where: string;
  readonly detail: string;
  readonly since: string;
}

/** One type of process and the rows that it drives. */
export interface Driven {
  readonly type: string;
  readonly table: string;
  /** The columns from which the process's input is made. */
  readonly columns: string;
  readonly toRow: (found: Record<string, string>) => DrivenRow;
  /** Rows that need the process. */
  readonly open: RowState;
  /** Rows for which the process has nothing left to do. */
  readonly settled: RowState;
  /** True if the row exists before the process and is settled until it acts; a young process is then no violation. */
  readonly rowIsFirst: boolean;
}

/** Makes an entry of the table; `orBy` are other processes that may drive an open row. */
function driven<Input extends object>(
  process: ProcessDefinition<Input>,
  { rowIsFirst = false, ...rows }: Omit<Driven, 'type' | 'toRow' | 'rowIsFirst'> & { rowIsFirst?: boolean },
  inputOf: (found: Record<string, string>) => Input,
  orBy: readonly ProcessDefinition<Input>[] = [],
): Driven {
  return {
    ...rows,
    type: process.type,
    rowIsFirst,
    toRow(found) {
      const input = inputOf(found);
      return {
        entity: process.entityId(input),
        detail: found['detail'] ?? '',
        workflowIds: [process.id(input), ...orBy.map(({ id }) => id(input))],
      };
    },
  };
}

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
        detail: `'refund of order ' || order_id || ' is PROCESSING'`,
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
  driven(
    paymentEventProcess,
    {
      table: 'webhook_events',
      columns: `provider, external_event_id, id AS webhook_event_id`,
      open: {
        where: `status IN ('RECEIVED', 'WAITING') AND started_at IS NOT NULL`,
        detail: `format('event %s of %s is %s', external_event_id, provider, status)`,
        since: 'started_at',
      },
      settled: {
        where: `status IN ('PROCESSED', 'DEAD')`,
        detail: `format('event %s of %s is %s', external_event_id, provider, status)`,
        since: 'processed_at',
      },
    },
    ({ provider = '', externalEventId = '', webhookEventId = '' }) => ({
      provider,
      externalEventId,
      webhookEventId,
    }),
  ),
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
];
