import { z } from 'zod';
import type { RefundRequestRow } from '../../../db/commerce/refund/refund-request.reads';
import { toMajor } from '../../../workflows/commerce/money.rules';
import { REFUNDED_BY_SHOP } from '../../orders/refund/order-refund.view';
import { RefundStatusField } from '../../orders/refund/refund.view';

/** A refund request, with what the buyer wrote. */
export const RefundExport = z.object({
  id: z.uuid(),
  orderId: z.uuid(),
  status: RefundStatusField,
  reason: z.string(),
  description: z.string().nullable(),
  requestedAmount: z.number().describe('What the buyer asks for.'),
  approvedAmount: z.number().nullable().describe('What is refunded; null until it is decided.'),
  currency: z.string(),
  createdAt: z.iso.datetime(),
  decidedAt: z.iso.datetime().nullable().describe('When an administrator decided; null until then.'),
});

export const refundExport = (request: RefundRequestRow): z.output<typeof RefundExport> => ({
  id: request.id,
  orderId: request.orderId,
  status: request.status,
  reason: request.byShop ? REFUNDED_BY_SHOP : request.reason,
  description: request.description,
  requestedAmount: toMajor(request.requestedMinor, request.currency),
  approvedAmount: request.approvedMinor === null ? null : toMajor(request.approvedMinor, request.currency),
  currency: request.currency,
  createdAt: request.createdAt.toISOString(),
  decidedAt: request.decidedAt?.toISOString() ?? null,
});
