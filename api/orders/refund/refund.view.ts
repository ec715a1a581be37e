import { z } from 'zod';
import { REFUND_REASONS } from '../../../workflows/commerce/refund/payment-refund.states';
import type { RefundRequestRow } from '../../../db/commerce/refund/refund-request.reads';
import { toMajor } from '../../../workflows/commerce/money.rules';
import { refundRequestStates } from '../../../workflows/commerce/refund/refund-request.states';

export const PaymentRefundReasonField = z
  .enum(REFUND_REASONS)
  .meta({ id: 'PaymentRefundReason', description: 'The cause for money to be sent back.' });

export const RefundStatusField = z
  .enum(refundRequestStates.names)
  .meta({ id: 'RefundStatus', description: 'The progress of a refund request.' });

/** The units of a line that are refunded; `amount` is their price after discount, with tax. */
export const RefundItem = z
  .object({
    itemId: z.uuid().describe('A line of the order: `id` in its `items`.'),
    productName: z.string().describe('The name of the product when it was ordered.'),
    quantity: z.int(),
    amount: z.number(),
  })
  .meta({ id: 'RefundItem' });

export const refundItemsView = ({
  items,
  currency,
}: Pick<RefundRequestRow, 'items' | 'currency'>): z.output<typeof RefundItem>[] =>
  items.map(({ amountMinor, ...item }) => ({ ...item, amount: toMajor(amountMinor, currency) }));
