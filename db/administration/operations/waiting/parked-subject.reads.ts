import type { Attributes } from 'sequelize';
import { validate } from 'uuid';
import { eventFailureProcess } from '../../../../workflows/administration/domain-event/event-failure.contract';
import { paymentEventProcess } from '../../../../workflows/commerce/payment-event/payment-event.contract';
import { paymentRefundProcess } from '../../../../workflows/commerce/refund/payment-refund.contract';
import { providerEventProcess } from '../../../../workflows/investment/provider-event/provider-event.contract';
import { payablesOf, USER_ID } from '../../../commerce/payment/payable';
import { firstRow, type Db } from '../../../sql/query';
import { reportedPayable } from '../../webhook/reported-payable.reads';
import { userOfReport } from '../../webhook/webhook-event-user.reads';
import type { ParkedProcess } from '../parked-process.model';

/** The order that a process is about, and the person whose matter it is; null: none, or not known. */
export type ParkedSubject = Pick<Attributes<ParkedProcess>, 'orderId' | 'userId'>;

const NOTHING: ParkedSubject = { orderId: null, userId: null };

interface Parked extends Pick<Attributes<ParkedProcess>, 'type' | 'entityId'> {
  orderId?: string | undefined;
  userId?: string | undefined;
}

/**
 * The subject as the process knows it. It may not know whose money it returns, and one of a report or an event does not know what
 * that names before it is applied: then it is looked up.
 */
export async function subjectOf(db: Db, { type, entityId, ...known }: Parked): Promise<ParkedSubject> {
  const { orderId, userId } = known;
  const found = userId === undefined ? await foundSubject(db, type, entityId) : null;
  return { orderId: orderId ?? found?.orderId ?? null, userId: userId ?? found?.userId ?? null };
}

async function foundSubject(db: Db, type: string, entityId: string): Promise<ParkedSubject | null> {
  if (type === eventFailureProcess.type) return ofDelivery(db, entityId);
  if (!validate(entityId)) return null;
  switch (type) {
    case paymentRefundProcess.type:
      return ofRefund(db, entityId);
    case paymentEventProcess.type:
      return reportedPayable(db, entityId);
    case providerEventProcess.type:
      return { ...NOTHING, userId: await userOfReport(db, entityId) };
    default:
      return null;
  }
}

const ofRefund = (db: Db, refundId: string): Promise<ParkedSubject | null> =>
  firstRow(
    db,
    `SELECT r.order_id, ${USER_ID} AS user_id FROM payment_refunds r ${payablesOf('r')} WHERE r.id = $1`,
    [refundId],
  );

/** An event of an order has its buyer, any other one names a person. `entityId`: of the process, with the event's position. */
const ofDelivery = (db: Db, entityId: string): Promise<ParkedSubject | null> =>
  firstRow(
    db,
    `SELECT o.id AS order_id, coalesce(o.user_id, (e.data ->> 'userId')::uuid) AS user_id
       FROM domain_events e LEFT JOIN orders o ON o.id = e.entity_id WHERE e.position = split_part($1, ':', 2)::bigint`,
    [entityId],
  );
