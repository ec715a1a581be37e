import { z } from 'zod';
import type { RefundRequestRow } from '../../../db/commerce/refund/refund-request.reads';
import { toMajor } from '../../../workflows/commerce/money.rules';
import { refundRequestStates } from '../../../workflows/commerce/refund/refund-request.states';

export const RefundStatusField = z.enum(refundRequestStates.names);

/** The units of a line that are refunded; `amount` is their price after discount, with tax. */
export const RefundItem = z
  .object({
    itemId: z.uuid(),
    productName: z.string(),
    quantity: z.int(),
    amount: z.number(),
  })
  .meta({ id: 'RefundItem' });

export const showRefundItems = ({
  items,
  currency,
}: Pick<RefundRequestRow, 'items' | 'currency'>): z.output<typeof RefundItem>[] =>
  items.map(({ amountMinor, ...item }) => ({ ...item, amount: toMajor(amountMinor, currency) }));
