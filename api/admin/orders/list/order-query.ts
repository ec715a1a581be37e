import { z } from 'zod';
import type { AdminOrderFilter } from '../../../../db/commerce/order-administration/order-filter.reads';
import { isoDate, periodEnd, text } from '../../../http/request/fields';
import { OrderStatusField, PaymentStatusField } from '../../../orders/order.view';
import { idOf } from '../../../http/request/ids/id-of';

/** ALL, or one or more of these values, separated by commas. */
function someOf<Value extends string>(field: z.ZodEnum<Record<Value, Value>>) {
  const values = field.options;
  const one = `(${values.join('|')})`;
  return z
    .string()
    .regex(
      new RegExp(`^(ALL|${one}(,${one})*)$`),
      `must be ALL, or one or more of ${values.join(', ')}, separated by commas`,
    )
    .max(200)
    .default('ALL')
    .transform((list) => (list === 'ALL' ? undefined : [...new Set(list.split(',') as Value[])]));
}

/** Shorter texts are in most orders, and no index finds them. Digits alone are the end of a number. */
const searchText = () => text({ max: 100 }).regex(/^(\d*|\S.+\S)$/s, 'must be at least 3 characters long');

/** The query parameters that choose orders, in the list and in its export. */
export const orderQuery = {
  status: someOf(OrderStatusField).meta({
    description: 'One or more statuses, separated by commas, or ALL.',
    example: 'PAID,PROCESSING',
  }),
  paymentStatus: someOf(PaymentStatusField).meta({
    description: 'One or more payment statuses, separated by commas, or ALL.',
    example: 'PAID,REFUNDED',
  }),
  userId: idOf('user').optional().meta({ description: 'Orders of this user only.' }),
  coupon: text({ min: 1, max: 50 })
    .optional()
    .meta({ description: 'Orders that used the coupon with this code, in any case.', example: 'WELCOME10' }),
  dateFrom: isoDate().optional(),
  dateTo: periodEnd().optional(),
  search: searchText().optional().meta({
    description:
      "Part of the order's number (its digits are enough), of the buyer's name, email address or phone number, of the recipient's name, of a SKU or of the tracking number; or the order's id. At least 3 characters, or digits only.",
    example: 'ORD-2026-00000339',
  }),
};

/** The filter that a query asks for. */
export const orderFilterOf = ({
  status,
  paymentStatus,
  userId,
  coupon,
  dateFrom,
  dateTo,
  search,
}: z.output<z.ZodObject<typeof orderQuery>>): AdminOrderFilter => ({
  statuses: status,
  paymentStatuses: paymentStatus,
  userId,
  coupon,
  search,
  from: dateFrom === undefined ? undefined : new Date(dateFrom),
  to: dateTo === undefined ? undefined : new Date(dateTo),
});
