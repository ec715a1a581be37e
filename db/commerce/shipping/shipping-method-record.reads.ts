import { firstRow, rows, type Db, type Tx } from '../../sql/query';

/** Countries that cost the same to ship to, and what one method asks there. The zone is shared by all methods. */
export interface ZoneRecord {
  name: string;
  /** ISO 3166-1 alpha-2, in order. */
  countries: string[];
  baseMinor: number;
  perKgMinor: number;
}

/** A shipping method as administrators see it. */
export interface ShippingMethodRecord {
  id: string;
  name: string;
  carrier: string;
  description: string | null;
  minDays: number;
  maxDays: number;
  currency: string;
  freeThresholdMinor: number | null;
  trackingUrlTemplate: string | null;
  isActive: boolean;
  position: number;
  /** By name. */
  zones: ZoneRecord[];
  createdAt: Date;
  updatedAt: Date;
}

const RECORD = `
  m.id, m.name, m.carrier, m.description, m.min_days, m.max_days, m.currency,
  m.free_threshold_minor, m.tracking_url_template,
  m.is_active, m.position,
  (SELECT coalesce(json_agg(json_build_object('name', z.name,
       'countries', ARRAY(SELECT c.country FROM shipping_zone_countries c WHERE c.zone_id = z.id ORDER BY c.country),
       'baseMinor', r.base_minor, 'perKgMinor', r.per_kg_minor) ORDER BY z.name), '[]')
     FROM shipping_rates r JOIN shipping_zones z ON z.id = r.zone_id WHERE r.method_id = m.id) AS zones,
  m.created_at, m.updated_at`;

/** One page of the methods that are not deleted, in the shop's order. */
export async function listShippingMethods(
  db: Db,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; methods: ShippingMethodRecord[] }> {
  const counted = await firstRow<{ total: number }>(
    db,
    'SELECT count(*)::int AS total FROM shipping_methods WHERE deleted_at IS NULL',
  );
  const methods = await rows<ShippingMethodRecord>(
    db,
    `SELECT ${RECORD} FROM shipping_methods m WHERE m.deleted_at IS NULL
     ORDER BY m.position, m.id LIMIT $1 OFFSET $2`,
    [limit, offset],
  );
  return { total: counted?.total ?? 0, methods };
}

/** A method, locked against every other change; null when it is none, or deleted. */
export async function lockShippingMethod(tx: Tx, id: string): Promise<ShippingMethodRecord | null> {
  return firstRow<ShippingMethodRecord>(
    tx,
    `SELECT ${RECORD} FROM shipping_methods m WHERE m.id = $1 AND m.deleted_at IS NULL FOR NO KEY UPDATE OF m`,
    [id],
  );
}

/** A zone as it stands, whoever names it. */
interface StandingZone {
  id: string;
  name: string;
  countries: string[];
}

/** All zones with their countries; there are no more than countries. */
export function standingZones(db: Db): Promise<StandingZone[]> {
  return rows<StandingZone>(
    db,
    `SELECT z.id, z.name, ARRAY(SELECT c.country FROM shipping_zone_countries c WHERE c.zone_id = z.id) AS countries
     FROM shipping_zones z`,
  );
}
