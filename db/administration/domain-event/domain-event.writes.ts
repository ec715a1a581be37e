import { v7 } from 'uuid';
import { execute, type Tx } from '../../sql/query';

/** What happened that other areas act on, with all that they need to know of it beside the rows it names. */
export type DomainEvent =
  | {
      type: 'order.paid';
      orderId: string;
      /** Goods after discount, before tax and shipping: what the partner programme reckons by. */
      goodsMinor: number;
      currency: string;
    }
  | {
      type: 'refund.completed';
      orderId: string;
      /** Null: the order was cancelled, and all of it went back. */
      refundRequestId: string | null;
      /** Of the order's goods after discount, before tax and shipping, what went back. */
      goodsMinor: number;
      currency: string;
      /** Whether nothing of the order's price is left. */
      full: boolean;
    };

/** Announces what happened if, and only if, the transaction commits. The same thing again is not announced twice. */
export async function announce(tx: Tx, { type, ...data }: DomainEvent, at: string): Promise<void> {
  const subject = ('refundRequestId' in data ? data.refundRequestId : null) ?? data.orderId;
  await execute(
    tx,
    `INSERT INTO domain_events (id, type, reference, entity_id, data, occurred_at)
     VALUES ($1, $2, $3, $4, $5::jsonb, $6) ON CONFLICT ON CONSTRAINT domain_events_reference_key DO NOTHING`,
    [v7(), type, `${type}:${subject}`, data.orderId, JSON.stringify(data), at],
  );
}
