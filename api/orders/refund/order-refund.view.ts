import { z } from 'zod';
import type { OrderRefundRow } from '../../../db/commerce/refund/order-refund.reads';
import { toMajor } from '../../../workflows/commerce/money.rules';
import type { RefundReason } from '../../../workflows/commerce/refund/payment-refund.states';
import { RefundStatusField } from './refund.view';

/** Money of an order that goes back to its buyer, or that was requested back. */
export const OrderRefund = z
  .object({
    id: z.uuid().meta({ description: 'The id of the refund request, else of the refund.' }),
    amount: z.number().meta({ description: 'The approved amount; until then the requested one.' }),
    status: RefundStatusField.meta({
      description: 'FAILED: it could not be sent the way it came, and is still owed.',
    }),
    reason: z.string().meta({
      description:
        'The reason of the request, or of a refund without one. Why an administrator began a refund is shown to administrators only.',
    }),
    createdAt: z.iso.datetime(),
    completedAt: z.iso.datetime().nullable().describe('When the money was sent; null until then.'),
  })
  .meta({ id: 'OrderRefund' });

const REASONS: Readonly<Record<RefundReason, string>> = {
  CANCELLATION: 'The order was cancelled.',
  LATE_PAYMENT: 'The payment arrived after the order had been cancelled.',
  DUPLICATE_PAYMENT: 'The order had been paid already.',
  AMOUNT_MISMATCH: 'The payment was not of the amount that was due.',
  REFUND: 'A refund was approved.',
};

/** The reason that a buyer reads of a refund that an administrator began. */
export const REFUNDED_BY_SHOP = 'Refunded by the shop.';

/** A refund as its buyer sees it. */
export const orderRefundView = (refund: OrderRefundRow, currency: string): z.input<typeof OrderRefund> => ({
  id: refund.id,
  amount: toMajor(refund.amountMinor, currency),
  status: refund.status,
  reason: refund.byShop ? REFUNDED_BY_SHOP : reasonOf(refund),
  createdAt: new Date(refund.createdAt).toISOString(),
  completedAt: refund.completedAt && new Date(refund.completedAt).toISOString(),
});

/** A refund with the reason that an administrator gave. */
export const administeredRefundView = (
  refund: OrderRefundRow,
  currency: string,
): z.input<typeof OrderRefund> => ({ ...orderRefundView(refund, currency), reason: reasonOf(refund) });

const reasonOf = ({ cause, requestReason }: OrderRefundRow): string =>
  cause === null ? (requestReason ?? '') : REASONS[cause];
