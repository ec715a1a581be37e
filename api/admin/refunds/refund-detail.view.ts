import { z } from 'zod';
import type { RefundProgress } from '../../../db/commerce/refund/administered-request.reads';
import type { PaymentRefundRow } from '../../../db/commerce/refund/payment-refund.reads';
import type { RefundRequestRow } from '../../../db/commerce/refund/refund-request.reads';
import { toMajor } from '../../../workflows/commerce/money.rules';
import { PaymentRefund, paymentRefundView } from '../payment-refunds/payment-refund.view';
import { AdminRefund, adminRefundView } from './refund.view';

const RefundDecision = z
  .object({
    approved: z.boolean().describe('True if the request was approved, false if it was rejected.'),
    by: z
      .object({
        id: z.uuid().nullable().describe('Identifies the administrator; a UUID.'),
        email: z.string().nullable(),
      })
      .describe('The administrator who decided.'),
    at: z.iso.datetime().describe('When it was decided.'),
    note: z.string().nullable().describe('A note by an administrator; null without one.'),
    restock: z.boolean().meta({ description: 'Whether the goods were restocked.' }),
  })
  .meta({ id: 'RefundDecision' });

export const AdminRefundDetail = AdminRefund.extend({
  shippingAmount: z
    .number()
    .meta({ description: 'The part of the requested amount that was shipping, with tax.' }),
  refundedAmount: z.number().meta({
    description: 'What has reached the buyer so far, also by a chargeback that we lost.',
  }),
  decision: RefundDecision.nullable().meta({ description: 'Null until it is decided.' }),
  concludedAt: z.iso.datetime().nullable().meta({ description: 'When nothing more was to be done.' }),
  paymentRefunds: z.array(PaymentRefund).meta({
    description:
      'The money on its way back, oldest first; none for what is on the balance of the buyer at once.',
  }),
}).meta({ id: 'AdminRefundDetail' });

export function adminRefundDetailView(
  request: RefundRequestRow,
  progress: RefundProgress,
  payments: PaymentRefundRow[],
): z.input<typeof AdminRefundDetail> {
  const { status, currency, approvedMinor, decidedAt, decidedBy } = request;
  return {
    ...adminRefundView(request),
    shippingAmount: toMajor(progress.shippingMinor, currency),
    refundedAmount: toMajor(Math.max(0, (approvedMinor ?? 0) - progress.outstandingMinor), currency),
    decision: decidedAt && {
      approved: status !== 'REJECTED',
      by: { id: decidedBy, email: progress.deciderEmail },
      at: decidedAt.toISOString(),
      note: progress.decisionNote,
      restock: progress.restock ?? false,
    },
    concludedAt: progress.concludedAt?.toISOString() ?? null,
    paymentRefunds: payments.map(paymentRefundView),
  };
}
