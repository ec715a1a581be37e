import { z } from 'zod';

/** A coupon as administrators see it, strictly: decisions §11 and what it was used for. */
export const CouponShape = z.strictObject({
  id: z.uuid(),
  code: z.string(),
  type: z.enum(['PERCENTAGE', 'FIXED']),
  value: z.number(),
  minSubtotal: z.number().nullable(),
  startsAt: z.iso.datetime().nullable(),
  endsAt: z.iso.datetime().nullable(),
  usageLimit: z.int().nullable(),
  perUserLimit: z.int().nullable(),
  usedCount: z.int(),
  productIds: z.array(z.uuid()),
  categoryIds: z.array(z.uuid()),
  isActive: z.boolean(),
  usable: z.boolean(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
