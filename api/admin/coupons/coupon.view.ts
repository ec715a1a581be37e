import { z } from 'zod';
import type { CouponRecord } from '../../../db/commerce/coupon/coupon-record.reads';
import { PLATFORM_CURRENCY, toMajor, toMinor } from '../../../workflows/commerce/money.rules';
import { isUsable, writtenValue } from '../../../workflows/commerce/coupon/coupon.rules';
import { isoDate, periodEnd, money } from '../../http/request/fields';
import type { SentFields } from '../../http/request/sent-fields';
import type { CouponSettings } from './coupon-settings';
import { demo } from '../../http/request/ids/demo-ids';
import { idOf } from '../../http/request/ids/id-of';
import { CouponType } from '../../cart/cart.view';

/** The path parameters of one coupon. */
export const oneCoupon = z.object({ id: idOf('coupon').meta({ example: demo.coupon }) });

const limit = () => z.int().min(1).max(1_000_000_000);
const scope = (kind: string, resource: 'product' | 'category') =>
  z
    .array(idOf(resource))
    .max(500)
    .optional()
    .meta({ description: `${kind} that it covers; all goods when both lists are empty.`, example: [] });

/** Years of four digits in every time zone. */
const YEARS = { firstYear: 1970, lastYear: 9999 };

// Chosen: only characters that are easy to type, to spell and to put into a URL; lower case is accepted.
const code = () =>
  z
    .string()
    .trim()
    .max(50)
    .regex(
      /^[A-Za-z0-9]([A-Za-z0-9_-]*[A-Za-z0-9])?$/,
      'must be letters and digits with - and _ between them',
    )
    .toUpperCase()
    .meta({ example: 'SUMMER-15' });

/** A coupon as an administrator sends it. A limit that is left out or null does not apply. */
export const CouponRequest = z
  .object({
    code: code().describe('The code that buyers type in.'),
    type: CouponType,
    value: money({ min: 0.01 }).meta({
      description: 'Percent, at most 100, or an amount, according to `type`.',
      example: 15,
    }),
    minSubtotal: money().nullish().meta({ description: 'Of all goods before discounts.', example: 50 }),
    startsAt: isoDate(YEARS).nullish().meta({
      description: 'The coupon is refused before; null: from now on.',
      example: '2026-06-01T00:00:00Z',
    }),
    endsAt: periodEnd(YEARS).nullish().meta({
      description: 'The first moment at which it no longer applies; a date includes its day, in UTC.',
      example: '2026-09-01T00:00:00Z',
    }),
    usageLimit: limit().nullish().meta({ description: 'Uses by everyone together.', example: 1000 }),
    perUserLimit: limit()
      .nullish()
      .meta({ description: 'How often one user may use the coupon; null without a limit.', example: 1 }),
    productIds: scope('Products', 'product'),
    categoryIds: scope('Categories, with their subcategories,', 'category'),
    isActive: z.boolean().default(true).describe('False: the coupon is refused.'),
  })
  .meta({ id: 'CouponRequest' });

/** A change of a coupon, as an administrator sends it: a field that is left out stays, null removes a limit. */
export const CouponChange = z
  .object({
    ...CouponRequest.shape,
    isActive: z.boolean().describe('False: the coupon is refused.'),
  })
  .partial()
  .meta({ id: 'CouponChange', example: { endsAt: '2026-12-31T23:00:00Z', isActive: true } });

export const AdminCoupon = z
  .object({
    id: z.uuid(),
    code: z.string().meta({
      description: 'The code that buyers type in.',
      example: 'SUMMER-15',
    }),
    type: CouponType,
    value: z.number().meta({ description: 'Percent, or an amount in USD, as `type` says.', example: 15 }),
    minSubtotal: z
      .number()
      .nullable()
      .describe('The least value of goods for which the coupon works; null without a minimum.'),
    startsAt: z.iso.datetime().nullable().describe('The coupon is refused before; null: from now on.'),
    endsAt: z.iso.datetime().nullable().describe('The coupon is refused from then on; null without an end.'),
    usageLimit: z.int().nullable().describe('How often the coupon can be used in all; null without a limit.'),
    perUserLimit: z.int().nullable().describe('How often one user may use the coupon; null without a limit.'),
    usedCount: z.int().meta({ description: 'Orders that use it, without those cancelled before payment.' }),
    productIds: z.array(z.uuid()).describe('Only these products are discounted; all if empty.'),
    categoryIds: z
      .array(z.uuid())
      .describe('Only goods of these categories and those below them are discounted; all if empty.'),
    isActive: z.boolean().meta({ description: 'As it was set, whatever its dates and uses.' }),
    usable: z.boolean().meta({
      description: 'Whether it can be used now: active, within its dates, and with uses left.',
    }),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'AdminCoupon' });

export function couponView(coupon: CouponRecord): z.output<typeof AdminCoupon> {
  const { percentageBp: _percentage, amountMinor: _amount, minSubtotalMinor, ...shown } = coupon;
  return {
    ...shown,
    value: writtenValue(coupon),
    usable: isUsable(coupon, new Date()),
    minSubtotal: minSubtotalMinor === null ? null : toMajor(minSubtotalMinor, PLATFORM_CURRENCY),
    startsAt: coupon.startsAt?.toISOString() ?? null,
    endsAt: coupon.endsAt?.toISOString() ?? null,
    createdAt: coupon.createdAt.toISOString(),
    updatedAt: coupon.updatedAt.toISOString(),
  };
}

/** The settings that were sent, in the units that are stored; fields that were left out stay left out. */
export function settingsFrom({
  minSubtotal,
  startsAt,
  endsAt,
  ...rest
}: SentFields<z.output<typeof CouponChange>>): Partial<CouponSettings> {
  const dateOf = (text: string | null): Date | null => (text === null ? null : new Date(text));
  return {
    ...rest,
    ...(minSubtotal !== undefined && {
      minSubtotalMinor: minSubtotal === null ? null : toMinor(minSubtotal, PLATFORM_CURRENCY),
    }),
    ...(startsAt !== undefined && { startsAt: dateOf(startsAt) }),
    ...(endsAt !== undefined && { endsAt: dateOf(endsAt) }),
  };
}
