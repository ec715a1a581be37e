import { firstRow, type Db } from '../../sql/query';

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
