import type { ShippingTariff } from '../../../workflows/commerce/shipping/shipping.rules';
import { firstRow, rows, type Db } from '../../sql/query';

/** A way to send goods to one country, with what it asks for that country's zone. */
export interface ShippingOption extends ShippingTariff {
  methodId: string;
  name: string;
  carrier: string;
  description: string | null;
  minDays: number;
  maxDays: number;
  currency: string;
}

const OPTIONS = `
  SELECT m.id AS method_id, m.name, m.carrier, m.description, m.min_days, m.max_days,
    m.currency, m.free_threshold_minor, r.base_minor,
    r.per_kg_minor
  FROM shipping_zone_countries z
  JOIN shipping_rates r ON r.zone_id = z.zone_id
  JOIN shipping_methods m ON m.id = r.method_id AND m.is_active AND m.deleted_at IS NULL
  WHERE z.country = $1`;

/** Every way to send goods to a country (ISO 3166-1 alpha-2), in the shop's order; none where nothing is sent. */
export async function shippingOptions(db: Db, country: string): Promise<ShippingOption[]> {
  return rows<ShippingOption>(db, `${OPTIONS} ORDER BY m.position, m.id`, [country]);
}

/** One method for a country; null when there is no such method, or it is off, or it does not go there. */
export async function shippingOption(
  db: Db,
  methodId: string,
  country: string,
): Promise<ShippingOption | null> {
  return firstRow<ShippingOption>(db, `${OPTIONS} AND m.id = $2`, [country, methodId]);
}
