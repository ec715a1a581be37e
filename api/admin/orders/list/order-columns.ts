import type { ExportedOrder } from '../../../../db/commerce/order-administration/order-export.reads';
import { toMajor } from '../../../../workflows/commerce/money.rules';
import { guarded } from '../../products/file/cell';

type Cell = (order: ExportedOrder) => string;

const moment =
  (at: (order: ExportedOrder) => Date | null): Cell =>
  (order) =>
    at(order)?.toISOString() ?? '';
const words =
  (of: (order: ExportedOrder) => string | null): Cell =>
  (order) =>
    guarded(of(order) ?? '');
const money =
  (of: (order: ExportedOrder) => number): Cell =>
  (order) =>
    String(toMajor(of(order), order.currency));

/** The cell of each column, in the order of the file. Texts that people wrote are guarded against formulas. */
const CELLS = {
  orderNumber: ({ orderNumber }) => orderNumber,
  id: ({ id }) => id,
  createdAt: moment(({ createdAt }) => createdAt),
  updatedAt: moment(({ updatedAt }) => updatedAt),
  status: ({ status }) => status,
  paymentStatus: ({ paymentStatus }) => paymentStatus,
  paymentMethod: ({ paymentMethod }) => paymentMethod,
  paidAt: moment(({ paidAt }) => paidAt),
  userId: ({ userId }) => userId,
  email: words(({ email }) => email),
  name: words(({ firstName, lastName }) => `${firstName} ${lastName}`),
  items: words(({ items }) => items),
  subtotal: money(({ subtotalMinor }) => subtotalMinor),
  discount: money(({ discountMinor }) => discountMinor),
  shipping: money(({ shippingMinor }) => shippingMinor),
  tax: money(({ taxMinor }) => taxMinor),
  total: money(({ totalMinor }) => totalMinor),
  saleReversed: money(({ refundedMinor }) => refundedMinor),
  currency: ({ currency }) => currency,
  shippingMethod: words(({ shippingMethodName }) => shippingMethodName),
  carrier: words(({ carrier }) => carrier),
  trackingNumber: words(({ trackingNumber }) => trackingNumber),
  shippedAt: moment(({ shippedAt }) => shippedAt),
  deliveredAt: moment(({ deliveredAt }) => deliveredAt),
  recipientName: words(({ shippingAddress }) => shippingAddress.recipientName),
  street: words(({ shippingAddress }) => shippingAddress.street),
  postalCode: words(({ shippingAddress }) => shippingAddress.postalCode),
  city: words(({ shippingAddress }) => shippingAddress.city),
  region: words(({ shippingAddress }) => shippingAddress.region),
  country: words(({ shippingAddress }) => shippingAddress.country),
  phone: words(({ shippingAddress }) => shippingAddress.phone),
} as const satisfies Record<string, Cell>;

export const ORDER_COLUMNS = Object.keys(CELLS);

/** An order as a row of the file. */
export const orderCells = (order: ExportedOrder): string[] =>
  Object.values(CELLS).map((cell: Cell) => cell(order));
