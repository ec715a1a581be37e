import { z } from 'zod';

/** Shapes of document 1 §2.6 and §4.3, strictly: no field is missing or added. Written from the document. */
const money = z.number().min(0).multipleOf(0.01);
const count = z.int().min(0);
const timestamp = z.iso.datetime();

const CartItemShape = z.strictObject({
  id: z.uuid(),
  product: z.strictObject({
    id: z.uuid(),
    name: z.string().min(1),
    slug: z.string().min(1),
    sku: z.string().min(1),
    price: money,
    compareAtPrice: money.nullable(),
    thumbnailUrl: z.string().nullable(),
    status: z.string(),
    stockQuantity: count.nullable(),
  }),
  variantId: z.uuid().nullable(),
  variantAttributes: z.record(z.string(), z.string()).nullable(),
  quantity: z.int().min(1),
  unitPrice: money,
  totalPrice: money,
  addedAt: timestamp,
});

export const CartShape = z.strictObject({
  id: z.uuid(),
  items: z.array(CartItemShape),
  summary: z.strictObject({
    subtotal: money,
    discount: money,
    shipping: money.nullable(),
    tax: money,
    total: money,
    currency: z.literal('USD'),
    itemCount: count,
    totalQuantity: count,
  }),
  appliedCoupons: z.array(
    z.strictObject({ code: z.string(), discount: money, type: z.enum(['PERCENTAGE', 'FIXED']) }),
  ),
  estimatedCommission: money.nullable(),
  estimatedCareerPoints: money.nullable(),
  updatedAt: timestamp,
});

const SummaryShape = z.strictObject({ total: money, itemCount: count, totalQuantity: count });

export const AddedShape = z.strictObject({
  cartItemId: z.uuid(),
  product: z.strictObject({ id: z.uuid(), name: z.string() }),
  quantity: z.int(),
  unitPrice: money,
  totalPrice: money,
  cartSummary: SummaryShape,
});

export const ChangedShape = AddedShape.omit({ product: true });

export const RemovedShape = z.strictObject({
  message: z.string().min(1),
  cartItemId: z.uuid(),
  cartSummary: SummaryShape,
});

export const ClearedShape = z.strictObject({ message: z.string().min(1), itemsRemoved: count });
