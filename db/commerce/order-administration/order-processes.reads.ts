import type { Attributes } from 'sequelize';
import { firstRow, rows, type Db } from '../../sql/query';
import type { WebhookEvent } from '../../administration/webhook/webhook-event.model';

/** The ids of what the processes of an order are about, each list newest first. */
export interface OrderProcessKeys {
  refundRequestIds: string[];
  refundIds: string[];
  /** Captures that a bank transfer brought. */
  transferIds: string[];
}

/** Reads at most `limit` ids of each kind. */
export async function orderProcessKeys(db: Db, orderId: string, limit: number): Promise<OrderProcessKeys> {
  const found = await firstRow<OrderProcessKeys>(
    db,
    `SELECT ARRAY (SELECT id FROM refund_requests WHERE order_id = $1 ORDER BY created_at DESC, id DESC LIMIT $2)
              AS refund_request_ids,
            ARRAY (SELECT id FROM payment_refunds WHERE order_id = $1 ORDER BY created_at DESC, id DESC LIMIT $2)
              AS refund_ids,
            ARRAY (SELECT id FROM payment_captures WHERE order_id = $1 AND provider = 'bank'
                    ORDER BY captured_at DESC, id DESC LIMIT $2) AS transfer_ids`,
    [orderId, limit],
  );
  return found ?? { refundRequestIds: [], refundIds: [], transferIds: [] };
}

/** The parts of the id of a report's process. */
type ReportOfProcess = Pick<Attributes<WebhookEvent>, 'provider' | 'replays'> & { webhookEventId: string };

/**
 * The newest reports about a payment of the order that have had no effect: they wait, are parked, or are dead.
 */
export const unfinishedReports = (db: Db, orderId: string, limit: number): Promise<ReportOfProcess[]> =>
  rows(
    db,
    `WITH named AS (
       SELECT provider, id::text AS name FROM payment_attempts WHERE order_id = $1
       UNION SELECT provider, provider_payment_id FROM payment_captures WHERE order_id = $1
     )
     SELECT provider, id AS webhook_event_id, replays FROM webhook_events e
     WHERE kind = 'PAYMENT' AND status IN ('RECEIVED', 'WAITING', 'DEAD') AND EXISTS (
       SELECT 1 FROM named n WHERE n.provider = e.provider AND n.name = e.subject)
     ORDER BY received_at DESC, id DESC LIMIT $2`,
    [orderId, limit],
  );
