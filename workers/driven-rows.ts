import { checkoutProcess } from '../workflows/commerce/checkout.contract';
import { fulfilmentProcess } from '../workflows/commerce/fulfilment.contract';
import { paymentEventProcess } from '../workflows/commerce/payment-event.contract';
import { paymentRefundProcess } from '../workflows/commerce/payment-refund.contract';
import { refundRequestProcess } from '../workflows/commerce/refund-request.contract';
import { registrationProcess } from '../workflows/identity/registration.contract';
import { suspensionProcess } from '../workflows/identity/suspension.contract';
import { accountDeletionProcess } from '../workflows/identity/account-deletion.contract';
import type { ProcessDefinition } from '../workflows/process';

/** A row that waits for its process. */
export interface OpenRow {
  /** What its process is about, as its search attribute says. */
  entity: string;
  detail: string;
  /** The ids of the processes of which one must run. */
  workflowIds: readonly string[];
}

/** One kind of process, and the rows that it drives. */
export interface Driven {
  readonly type: string;
  /** Rows that have needed the process for longer than `$1` seconds. */
  readonly open: { readonly sql: string; readonly toRow: (found: Record<string, string>) => OpenRow };
  /** Of the entities `$2`, those that have been settled for longer than `$1` seconds, so that nothing is left to do. */
  readonly settled: string;
  /** The table that its entities are in. */
  readonly table: string;
  /** The row is there before the process and settled until it moves it, so a process that has just begun proves nothing. */
  readonly rowIsFirst: boolean;
}

const LONGER_AGO = `< now() - make_interval(secs => $1)`;

/** `columns` of the SQL are the process's input, beside `detail`. */
function driven<Input extends object>(
  process: ProcessDefinition<Input>,
  {
    open,
    settled,
    table,
    rowIsFirst = false,
  }: { open: string; settled: string; table: string; rowIsFirst?: boolean },
  inputOf: (found: Record<string, string>) => Input,
  orBy: readonly ProcessDefinition<Input>[] = [],
): Driven {
  return {
    type: process.type,
    table,
    settled,
    rowIsFirst,
    open: {
      sql: open,
      toRow(found) {
        const input = inputOf(found);
        return {
          entity: process.entityId(input),
          detail: found['detail'] ?? '',
          workflowIds: [process, ...orBy].map(({ id }) => id(input)),
        };
      },
    },
  };
}

const orderOf = ({ orderId = '', userId = '' }: Record<string, string>) => ({ orderId, userId });

/** What drives what. An area adds a line for each of its processes that owns a row. */
export const drivenRows: readonly Driven[] = [
  driven(
    checkoutProcess,
    {
      table: 'orders',
      open: `SELECT id AS "orderId", user_id AS "userId", 'order ' || number || ' is PENDING_PAYMENT' AS detail
        FROM orders WHERE status = 'PENDING_PAYMENT' AND created_at ${LONGER_AGO}`,
      settled: `SELECT id AS entity, format('order %s is %s', number, status) AS detail
        FROM orders WHERE id = ANY ($2::uuid[]) AND status <> 'PENDING_PAYMENT' AND updated_at ${LONGER_AGO}`,
    },
    orderOf,
  ),
  driven(
    fulfilmentProcess,
    {
      table: 'orders',
      open: `SELECT id AS "orderId", user_id AS "userId", format('order %s is %s', number, status) AS detail
        FROM orders WHERE status IN ('PAID', 'PROCESSING', 'SHIPPED') AND updated_at ${LONGER_AGO}`,
      settled: `SELECT id AS entity, format('order %s is %s', number, status) AS detail
        FROM orders WHERE id = ANY ($2::uuid[]) AND status IN ('DELIVERED', 'CANCELLED', 'REFUNDED')
          AND updated_at ${LONGER_AGO}`,
    },
    orderOf,
    [checkoutProcess], // Just paid: checkout hands it over.
  ),
  driven(
    paymentRefundProcess,
    {
      table: 'payment_refunds',
      open: `SELECT id AS "refundId", order_id AS "orderId", 'refund of order ' || order_id || ' is PROCESSING' AS detail
        FROM payment_refunds WHERE status = 'PROCESSING' AND created_at ${LONGER_AGO}`,
      settled: `SELECT id AS entity, 'refund is ' || status AS detail FROM payment_refunds
        WHERE id = ANY ($2::uuid[]) AND status <> 'PROCESSING' AND coalesce(completed_at, created_at) ${LONGER_AGO}`,
    },
    ({ refundId = '', orderId = '' }) => ({ refundId, orderId }),
  ),
  driven(
    refundRequestProcess,
    {
      table: 'refund_requests',
      open: `SELECT id AS "refundRequestId", order_id AS "orderId", user_id AS "userId",
          format('refund of order %s is %s', order_id, status) AS detail
        FROM refund_requests
        WHERE status IN ('PENDING_REVIEW', 'APPROVED', 'PROCESSING') AND created_at ${LONGER_AGO}`,
      settled: `SELECT id AS entity, 'the request is ' || status AS detail
        FROM refund_requests WHERE id = ANY ($2::uuid[]) AND concluded_at ${LONGER_AGO}`,
    },
    ({ refundRequestId = '', orderId = '', userId = '' }) => ({ refundRequestId, orderId, userId }),
  ),
  driven(
    paymentEventProcess,
    {
      table: 'webhook_events',
      open: `SELECT provider, external_event_id AS "externalEventId", id AS "webhookEventId",
          format('event %s of %s is %s', external_event_id, provider, status) AS detail
        FROM webhook_events WHERE status IN ('RECEIVED', 'WAITING') AND started_at ${LONGER_AGO}`,
      settled: `SELECT id AS entity, format('event %s of %s is %s', external_event_id, provider, status) AS detail
        FROM webhook_events
        WHERE id = ANY ($2::uuid[]) AND status IN ('PROCESSED', 'DEAD') AND processed_at ${LONGER_AGO}`,
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
      table: 'users',
      rowIsFirst: true,
      open: `SELECT id AS "userId", 'user is SUSPENDED until ' || suspended_until AS detail
        FROM users WHERE status = 'SUSPENDED' AND suspended_until IS NOT NULL AND suspended_at ${LONGER_AGO}`,
      settled: `SELECT id AS entity, 'user is ' || status AS detail
        FROM users WHERE id = ANY ($2::uuid[]) AND status <> 'SUSPENDED' AND updated_at ${LONGER_AGO}`,
    },
    ({ userId = '' }) => ({ userId }),
  ),
  driven(
    accountDeletionProcess,
    {
      table: 'users',
      open: `SELECT id AS "userId", 'the account is to be erased at ' || deletion_due_at AS detail
        FROM users WHERE deletion_due_at IS NOT NULL AND updated_at ${LONGER_AGO}`,
      settled: `SELECT id AS entity, 'the account is not to be erased' AS detail FROM users
        WHERE id = ANY ($2::uuid[]) AND deletion_due_at IS NULL AND updated_at ${LONGER_AGO}`,
      rowIsFirst: true,
    },
    ({ userId = '' }) => ({ userId }),
  ),
  driven(
    registrationProcess,
    {
      table: 'users',
      open: `SELECT id AS "userId", 'user is PENDING_VERIFICATION' AS detail
        FROM users WHERE status = 'PENDING_VERIFICATION' AND created_at ${LONGER_AGO}`,
      settled: `SELECT id AS entity, 'the e-mail address is verified' AS detail
        FROM users WHERE id = ANY ($2::uuid[]) AND email_verified_at ${LONGER_AGO}`,
    },
    ({ userId = '' }) => ({ userId }),
  ),
];
