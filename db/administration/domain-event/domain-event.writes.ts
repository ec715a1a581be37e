import type { Attributes } from 'sequelize';
import { v7 } from 'uuid';
import { execute, type Tx } from '../../sql/query';
import type { DomainEvent as DomainEventModel } from './domain-event.model';

/** A business event that other areas act on, with the data that the named rows do not have. */
export type DomainEvent =
  | {
      type: 'order.paid';
      orderId: string;
      /** Goods after discount, before tax and shipping: the base of the partner programme. */
      goodsMinor: number;
      currency: string;
    }
  | {
      type: 'refund.completed';
      orderId: string;
      /** Null when the order was cancelled and refunded in full. */
      refundRequestId: string | null;
      /** The refunded part of the goods after discount, before tax and shipping. */
      goodsMinor: number;
      currency: string;
      /** True when the whole price of the order is refunded. */
      full: boolean;
    };

/** Records an event in the transaction of its change. A repeated event is recorded once. */
export async function announce(tx: Tx, { type, ...data }: DomainEvent, at: string): Promise<void> {
  const subject = ('refundRequestId' in data ? data.refundRequestId : null) ?? data.orderId;
  const row: Pick<Attributes<DomainEventModel>, 'type' | 'reference' | 'entityId' | 'data'> = {
    type,
    reference: `${type}:${subject}`,
    entityId: data.orderId,
    data,
  };
  await execute(
    tx,
    `INSERT INTO domain_events (id, type, reference, entity_id, data, occurred_at)
     VALUES ($1, $2, $3, $4, $5::jsonb, $6) ON CONFLICT ON CONSTRAINT domain_events_reference_key DO NOTHING`,
    [v7(), row.type, row.reference, row.entityId, JSON.stringify(row.data), at],
  );
}
