import type { Attributes } from 'sequelize';
import { firstRow, rows, type Db, type Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { byName } from '../../sql/text/order';
import { ShippingMethod } from './shipping-method.model';
import type { ShippingRate } from './shipping-rate.model';
import type { ShippingZone } from './shipping-zone.model';

/** Countries of one price, and the price of one method there. The zone is shared by all methods. */
export type ZoneRecord = Pick<Attributes<ShippingZone>, 'name'> &
  Pick<Attributes<ShippingRate>, 'baseMinor' | 'perKgMinor'> & {
    /** ISO 3166-1 alpha-2, in order. */
    countries: string[];
  };

/** A shipping method as administrators see it. */
export type ShippingMethodRecord = Omit<Attributes<ShippingMethod>, 'deletedAt'> & {
  /** By name. */
  zones: ZoneRecord[];
};

const RECORD = `
  m.id, m.name, m.carrier, m.description, m.min_days, m.max_days, m.currency,
  m.free_threshold_minor, m.tracking_url_template,
  m.is_active, m.position,
  (SELECT coalesce(json_agg(json_build_object('name', z.name,
       'countries', ARRAY(SELECT c.country FROM shipping_zone_countries c WHERE c.zone_id = z.id ORDER BY c.country),
       'baseMinor', r.base_minor, 'perKgMinor', r.per_kg_minor) ORDER BY ${byName('z.name')}), '[]')
     FROM shipping_rates r JOIN shipping_zones z ON z.id = r.zone_id WHERE r.method_id = m.id) AS zones,
  m.created_at, m.updated_at`;

/** One page of the methods that are not deleted, in the shop's order. */
export async function listShippingMethods(
  db: Db,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; methods: ShippingMethodRecord[] }> {
  const total = await table(db, ShippingMethod).count({ deletedAt: null });
  const methods = await rows<ShippingMethodRecord>(
    db,
    `SELECT ${RECORD} FROM shipping_methods m WHERE m.deleted_at IS NULL
     ORDER BY m.position, m.id LIMIT $1 OFFSET $2`,
    [limit, offset],
  );
  return { total, methods };
}

/** A method, locked against every other change; null for an unknown or deleted one. */
export async function lockShippingMethod(tx: Tx, id: string): Promise<ShippingMethodRecord | null> {
  return firstRow<ShippingMethodRecord>(
    tx,
    `SELECT ${RECORD} FROM shipping_methods m WHERE m.id = $1 AND m.deleted_at IS NULL FOR NO KEY UPDATE OF m`,
    [id],
  );
}

/** A zone, whichever methods use it. */
export type Zone = Attributes<ShippingZone> & { countries: string[] };

/** All zones with their countries; there are at most as many as countries. */
export function allZones(db: Db): Promise<Zone[]> {
  return rows<Zone>(
    db,
    `SELECT z.id, z.name, ARRAY(SELECT c.country FROM shipping_zone_countries c WHERE c.zone_id = z.id) AS countries
     FROM shipping_zones z`,
  );
}
