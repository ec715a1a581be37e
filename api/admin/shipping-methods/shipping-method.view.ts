import { z } from 'zod';
import type { ShippingMethodRecord } from '../../../db/commerce/shipping/shipping-method-record.reads';
import { PLATFORM_CURRENCY, toMajor, toMinor } from '../../../workflows/commerce/money.rules';
import { country, money, text } from '../../http/request/fields';
import type { SentFields } from '../../http/request/sent-fields';
import type { ShippingMethodSettings } from './method-settings';
import { trackingUrlTemplate } from './tracking-url-template';
import { demo } from '../../http/request/ids/demo-ids';
import { idOf } from '../../http/request/ids/id-of';

/** The path parameters of one shipping method. */
export const oneShippingMethod = z.object({
  id: idOf('shipping method').meta({ example: demo.removable.shippingMethod }),
});

/** Above the price of any parcel, and small enough that sums with any weight stay exact. */
const MAX_PRICE = 1_000;
const price = () => money({ max: MAX_PRICE });
const days = () => z.int().min(0).max(365);

const ZoneRequest = z
  .object({
    name: text({ min: 1, max: 100 }).meta({ example: 'Benelux' }),
    countries: z
      .array(country())
      .min(1)
      .max(250)
      .optional()
      .meta({
        description:
          'All countries of the zone, for every method that uses it. Left out: an existing zone stays as it is. ' +
          'A country belongs to one zone: it moves here only if the zone that it leaves is sent without it as well.',
        example: ['BE', 'LU', 'NL'],
      }),
    basePrice: price().meta({
      description: 'The price of a parcel before its weight, in the currency of the shipping method.',
      example: 4.9,
    }),
    pricePerKg: price().meta({
      description: 'Added for each kilogram, in the currency of the shipping method.',
      example: 0.5,
    }),
  })
  .meta({ id: 'ShippingZoneRequest' });

/** A shipping method as an administrator sends it. */
export const ShippingMethodRequest = z
  .object({
    name: text({ min: 1, max: 100 }).meta({ example: 'Standard' }),
    carrier: text({ min: 1, max: 100 }).meta({
      description: 'The company that carries the parcel.',
      example: 'Parcel Post',
    }),
    description: text({ min: 1, max: 500 }).nullish().meta({ example: 'Tracked parcel.' }),
    estimatedDays: z
      .object({
        min: days().meta({ description: 'Days at best.', example: 2 }),
        max: days().meta({ description: 'Days at worst.', example: 5 }),
      })
      .describe('Days until delivery.'),
    // Chosen: orders are in the platform's currency, and so are their shipping prices.
    currency: z.literal(PLATFORM_CURRENCY).default(PLATFORM_CURRENCY),
    freeThreshold: money()
      .nullish()
      .meta({ description: 'The value of goods after discount from which it is free.', example: 100 }),
    trackingUrlTemplate: trackingUrlTemplate()
      .nullish()
      .describe('An https address with `{trackingNumber}` in its path or query, once.'),
    isActive: z.boolean().default(true).describe('False: it is not offered.'),
    position: z.int().min(0).max(10_000).default(0).meta({ description: 'Its place in the list.' }),
    zones: z.array(ZoneRequest).min(1).max(100).meta({
      description: 'All zones of the method. A zone is known by its name and shared by all methods.',
    }),
  })
  .meta({ id: 'ShippingMethodRequest' });

/** A change of a shipping method, as an administrator sends it: a field that is left out stays, null clears an optional one. */
export const ShippingMethodChange = z
  .object({
    ...ShippingMethodRequest.shape,
    currency: z.literal(PLATFORM_CURRENCY),
    isActive: z.boolean().describe('False: it is not offered.'),
    position: z.int().min(0).max(10_000),
  })
  .partial()
  .meta({ id: 'ShippingMethodChange', example: { description: 'Tracked parcel.', isActive: true } });

export const AdminShippingMethod = z
  .object({
    id: z.uuid(),
    name: z.string(),
    carrier: z.string().describe('The company that carries the parcel.'),
    description: z.string().nullable(),
    estimatedDays: z
      .object({ min: z.int().describe('Days at best.'), max: z.int().describe('Days at worst.') })
      .describe('Days until delivery.'),
    currency: z.string(),
    freeThreshold: z
      .number()
      .nullable()
      .describe('The value of goods after discount from which shipping is free; null if it never is.'),
    trackingUrlTemplate: z
      .string()
      .nullable()
      .describe('An https address with `{trackingNumber}` in its path or query, once.'),
    isActive: z.boolean().describe('False: it is not offered.'),
    position: z.int(),
    zones: z
      .array(
        z.object({
          name: z.string(),
          countries: z.array(z.string()).describe('ISO 3166-1 alpha-2 codes of the countries of the zone.'),
          basePrice: z
            .number()
            .describe('The price of a parcel before its weight, in the currency of the shipping method.'),
          pricePerKg: z.number().describe('Added for each kilogram, in the currency of the shipping method.'),
        }),
      )
      .describe('The countries it goes to, with their prices.'),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'AdminShippingMethod' });

export function shippingMethodView(method: ShippingMethodRecord): z.output<typeof AdminShippingMethod> {
  const { minDays, maxDays, freeThresholdMinor, zones, ...shown } = method;
  const major = (minor: number): number => toMajor(minor, method.currency);
  return {
    ...shown,
    estimatedDays: { min: minDays, max: maxDays },
    freeThreshold: freeThresholdMinor === null ? null : major(freeThresholdMinor),
    zones: zones.map(({ name, countries, baseMinor, perKgMinor }) => ({
      name,
      countries,
      basePrice: major(baseMinor),
      pricePerKg: major(perKgMinor),
    })),
    createdAt: method.createdAt.toISOString(),
    updatedAt: method.updatedAt.toISOString(),
  };
}

const minor = (major: number): number => toMinor(major, PLATFORM_CURRENCY);

/** The settings that were sent, in the units that are stored; fields that were left out stay left out. */
export function methodSettingsFrom({
  estimatedDays,
  freeThreshold,
  zones,
  ...rest
}: SentFields<z.output<typeof ShippingMethodChange>>): Partial<ShippingMethodSettings> {
  return {
    ...rest,
    ...(estimatedDays && { minDays: estimatedDays.min, maxDays: estimatedDays.max }),
    ...(freeThreshold !== undefined && {
      freeThresholdMinor: freeThreshold === null ? null : minor(freeThreshold),
    }),
    ...(zones && { zones: zones.map(zoneFrom) }),
  };
}

/** A zone that was sent, in the units that are stored. */
export const zoneFrom = (zone: z.output<typeof ZoneRequest>): ShippingMethodSettings['zones'][number] => ({
  name: zone.name,
  countries: zone.countries ?? null,
  baseMinor: minor(zone.basePrice),
  perKgMinor: minor(zone.pricePerKg),
});
