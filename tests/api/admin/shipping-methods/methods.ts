import { z } from 'zod';
import { execute, rows, type Db } from '../../../../db/sql/query';

/** A shipping method as administrators see it, strictly. */
export const MethodShape = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  carrier: z.string(),
  description: z.string().nullable(),
  estimatedDays: z.strictObject({ min: z.int(), max: z.int() }),
  currency: z.literal('USD'),
  freeThreshold: z.number().nullable(),
  trackingUrlTemplate: z.string().nullable(),
  isActive: z.boolean(),
  position: z.int(),
  zones: z.array(
    z.strictObject({
      name: z.string(),
      countries: z.array(z.string()),
      basePrice: z.number(),
      pricePerKg: z.number(),
    }),
  ),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});

export const zone = (name: string, countries?: string[], basePrice = 5) => ({
  ...{ name, basePrice, pricePerKg: 0 },
  ...(countries && { countries }),
});

/** The required fields of a method. */
export const simpleMethod = (...zones: ReturnType<typeof zone>[]) => ({
  name: 'Standard',
  carrier: 'Parcel Post',
  estimatedDays: { min: 2, max: 4 },
  zones,
});

/** Takes all methods and zones off the shop. */
export async function withoutMethods(db: Db): Promise<void> {
  await execute(db, 'DELETE FROM shipping_zones');
  await execute(db, 'UPDATE shipping_methods SET deleted_at = now() WHERE deleted_at IS NULL');
}

/** All existing zones, as "name: countries". */
export async function zonesIn(db: Db): Promise<string[]> {
  const zones = await rows<{ zone: string }>(
    db,
    `SELECT z.name || ': ' || coalesce(string_agg(c.country, ' ' ORDER BY c.country), '') AS zone
     FROM shipping_zones z LEFT JOIN shipping_zone_countries c ON c.zone_id = z.id GROUP BY z.id ORDER BY z.name`,
  );
  return zones.map((each) => each.zone);
}
