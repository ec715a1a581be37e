import type { Attributes } from 'sequelize';
import type { ShippingTariff } from '../../../workflows/commerce/shipping/shipping.rules';
import { firstRow, rows, type Db } from '../../sql/query';
import type { ShippingMethod } from './shipping-method.model';

/** A method that sends goods to one country, with its tariff for that country's zone. */
export type ShippingOption = ShippingTariff &
  Pick<
    Attributes<ShippingMethod>,
    'name' | 'carrier' | 'description' | 'minDays' | 'maxDays' | 'currency'
  > & { methodId: string };

const OPTIONS = `
  SELECT m.id AS method_id, m.name, m.carrier, m.description, m.min_days, m.max_days,
    m.currency, m.free_threshold_minor, r.base_minor,
    r.per_kg_minor
  FROM shipping_zone_countries z
  JOIN shipping_rates r ON r.zone_id = z.zone_id
  JOIN shipping_methods m ON m.id = r.method_id AND m.is_active AND m.deleted_at IS NULL
  WHERE z.country = $1`;

/** Every method for a country (ISO 3166-1 alpha-2), in the shop's order. */
export async function shippingOptions(db: Db, country: string): Promise<ShippingOption[]> {
  return rows<ShippingOption>(db, `${OPTIONS} ORDER BY m.position, m.id`, [country]);
}

/** One method for a country; null when it is unknown, switched off or not for that country. */
export async function shippingOption(
  db: Db,
  methodId: string,
  country: string,
): Promise<ShippingOption | null> {
  return firstRow<ShippingOption>(db, `${OPTIONS} AND m.id = $2`, [country, methodId]);
}
