import { z } from 'zod';
import { refundRequest, type RefundRequestRow } from '../../../db/commerce/refund/refund-request.reads';
import type { Db } from '../../../db/sql/query';
import { toMajor } from '../../../workflows/commerce/money.rules';
import { refusal } from '../../../workflows/errors';
import { RefundItem, RefundStatusField, refundItemsView } from '../../orders/refund/refund.view';
import { Person } from '../person.view';

export const AdminRefund = z
  .object({
    id: z.uuid(),
    order: z.object({ id: z.uuid(), orderNumber: z.string() }).describe('The order that it belongs to.'),
    user: Person.describe('The user whom it belongs to.'),
    status: RefundStatusField,
    reason: z.string(),
    description: z.string().nullable(),
    requestedAmount: z.number().describe('What the buyer asks for.'),
    approvedAmount: z.number().nullable().describe('What is refunded; null until it is decided.'),
    currency: z.string(),
    items: z.array(RefundItem).describe('What is refunded of which lines.'),
    createdAt: z.iso.datetime(),
    decidedAt: z.iso.datetime().nullable().describe('When an administrator decided; null until then.'),
    decidedBy: z.uuid().nullable().describe('The administrator who decided; null until then.'),
  })
  .meta({ id: 'AdminRefund' });

export const adminRefundView = (request: RefundRequestRow): z.output<typeof AdminRefund> => {
  const { currency, approvedMinor } = request;
  return {
    id: request.id,
    order: { id: request.orderId, orderNumber: request.orderNumber },
    user: { id: request.userId, email: request.email, name: `${request.firstName} ${request.lastName}` },
    status: request.status,
    reason: request.reason,
    description: request.description,
    requestedAmount: toMajor(request.requestedMinor, currency),
    approvedAmount: approvedMinor === null ? null : toMajor(approvedMinor, currency),
    currency,
    items: refundItemsView(request),
    createdAt: request.createdAt.toISOString(),
    decidedAt: request.decidedAt?.toISOString() ?? null,
    decidedBy: request.decidedBy,
  };
};

/** The refusal of an unknown request. */
export const noSuchRefund = (): Error => refusal('REFUND_NOT_FOUND', 'No such refund request.');

/** A request; refused REFUND_NOT_FOUND when there is none. */
export async function oneRefund(db: Db, id: string): Promise<RefundRequestRow> {
  const request = await refundRequest(db, id);
  if (!request) throw noSuchRefund();
  return request;
}

/** A request that this administrator may decide on; refused FORBIDDEN when it is their own. */
export async function refundOfAnother(db: Db, id: string, callerId: string): Promise<RefundRequestRow> {
  const request = await oneRefund(db, id);
  if (request.userId === callerId)
    throw refusal('FORBIDDEN', 'You cannot decide on your own refund request.');
  return request;
}
