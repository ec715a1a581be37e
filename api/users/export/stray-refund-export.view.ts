import { z } from 'zod';
import type { StrayRefund } from '../../../db/commerce/refund/stray-refund.reads';
import { toMajor } from '../../../workflows/commerce/money.rules';
import { REFUND_REASONS } from '../../../workflows/commerce/refund/payment-refund.states';
import { PaymentRefundStatusField } from '../../admin/payment-refunds/payment-refund.view';

/** Money that came for something and goes back: late, a second time or of another amount. */
const StrayRefundExport = z.object({
  id: z.uuid(),
  status: PaymentRefundStatusField,
  reason: z.enum(REFUND_REASONS),
  amount: z.number(),
  currency: z.string(),
  createdAt: z.iso.datetime(),
  completedAt: z.iso.datetime().nullable(),
});

export const ParticipationRefundExport = StrayRefundExport.extend({
  participationId: z.uuid(),
  participationNumber: z.string(),
});
export const EntranceRefundExport = StrayRefundExport.extend({
  entranceId: z.uuid(),
  entranceNumber: z.string(),
});
export const TopUpRefundExport = StrayRefundExport.extend({ topUpId: z.uuid(), topUpNumber: z.string() });

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
