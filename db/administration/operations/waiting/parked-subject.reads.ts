import type { Attributes } from 'sequelize';
import { firstRow, type Db } from '../../../sql/query';
import { reportedPayable } from '../../webhook/reported-payable.reads';
import { userOfReport } from '../../webhook/webhook-event-user.reads';
import type { ParkedProcess } from '../parked-process.model';

/** The order that a process is about, and the person whom its report or event names; null: none, or not known. */
export type ParkedSubject = Pick<Attributes<ParkedProcess>, 'orderId' | 'userId'>;

const NOTHING: ParkedSubject = { orderId: null, userId: null };

const UUID = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/** Finds the subject of a process of this type by its entity. Its person is left out where the entity or the order has them. */
export async function subjectOf(
  db: Db,
  { type, entityId }: Pick<Attributes<ParkedProcess>, 'type' | 'entityId'>,
): Promise<ParkedSubject> {
  if (type === 'eventFailure') return (await ofDelivery(db, entityId)) ?? NOTHING;
  if (!UUID.test(entityId)) return NOTHING;
  switch (type) {
    case 'checkout':
    case 'fulfilment':
      return { ...NOTHING, orderId: entityId };
    case 'paymentRefund':
    case 'refundRequest':
      return { ...NOTHING, orderId: await orderOf(db, REFUNDS[type], entityId) };
    case 'paymentEvent':
      return (await reportedPayable(db, entityId)) ?? NOTHING;
    case 'providerEvent':
      return { ...NOTHING, userId: await userOfReport(db, entityId) };
    default:
      return NOTHING;
  }
}

/** The tables of refunds by the type of their process. */
const REFUNDS = { paymentRefund: 'payment_refunds', refundRequest: 'refund_requests' } as const;

const orderOf = async (db: Db, refunds: string, id: string): Promise<string | null> =>
  (await firstRow<{ orderId: string | null }>(db, `SELECT order_id FROM ${refunds} WHERE id = $1`, [id]))
    ?.orderId ?? null;

/** An event of an order has its buyer, any other one names a person. `entityId`: of the process, with the event's position. */
const ofDelivery = (db: Db, entityId: string): Promise<ParkedSubject | null> =>
  firstRow(
    db,
    `SELECT o.id AS order_id, coalesce(o.user_id, (e.data ->> 'userId')::uuid) AS user_id
       FROM domain_events e LEFT JOIN orders o ON o.id = e.entity_id WHERE e.position = split_part($1, ':', 2)::bigint`,
    [entityId],
  );
