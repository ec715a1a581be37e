import { z } from 'zod';
import type { StrayRefund } from '../../../db/commerce/refund/stray-refund.reads';
import { toMajor } from '../../../workflows/commerce/money.rules';
import { PaymentRefundStatusField } from '../../admin/payment-refunds/payment-refund.view';
import { PaymentRefundReasonField } from '../../orders/refund/refund.view';

/** Money that came for something and goes back: late, a second time or of another amount. */
const StrayRefundExport = z.object({
  id: z.uuid().describe('Identifies the refund; a UUID.'),
  status: PaymentRefundStatusField,
  reason: PaymentRefundReasonField,
  amount: z.number(),
  currency: z.string(),
  createdAt: z.iso.datetime(),
  completedAt: z.iso.datetime().nullable().describe('When the money was sent; null until then.'),
});

export const ParticipationRefundExport = StrayRefundExport.extend({
  participationId: z.uuid().describe('The participation that it is about.'),
  participationNumber: z.string().describe('The number of the participation behind it.'),
});
export const EntranceRefundExport = StrayRefundExport.extend({
  entranceId: z.uuid().describe('The entrance fee that it is about.'),
  entranceNumber: z.string().describe('The number of the entrance fee behind it.'),
});
export const TopUpRefundExport = StrayRefundExport.extend({
  topUpId: z.uuid().describe('The top-up that it is about.'),
  topUpNumber: z.string().describe('The number of the top-up behind it.'),
});

const strayRefundExport = (refund: StrayRefund): z.output<typeof StrayRefundExport> => ({
  id: refund.id,
  status: refund.status,
  reason: refund.reason,
  amount: toMajor(refund.amountMinor, refund.currency),
  currency: refund.currency,
  createdAt: refund.createdAt.toISOString(),
  completedAt: refund.completedAt?.toISOString() ?? null,
});

export const participationRefundExport = (
  refund: StrayRefund,
): z.output<typeof ParticipationRefundExport> => ({
  ...strayRefundExport(refund),
  participationId: refund.payableId,
  participationNumber: refund.number,
});

export const entranceRefundExport = (refund: StrayRefund): z.output<typeof EntranceRefundExport> => ({
  ...strayRefundExport(refund),
  entranceId: refund.payableId,
  entranceNumber: refund.number,
});

export const topUpRefundExport = (refund: StrayRefund): z.output<typeof TopUpRefundExport> => ({
  ...strayRefundExport(refund),
  topUpId: refund.payableId,
  topUpNumber: refund.number,
});
