import type { Attributes } from 'sequelize';
import { execute, type Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { ShippingRate } from './shipping-rate.model';
import { ShippingZoneCountry } from './shipping-zone-country.model';
import { ShippingZone } from './shipping-zone.model';

/** Locks all zones against other changes until the transaction ends. Buyers can read them. */
export async function lockShippingZones(tx: Tx): Promise<void> {
  await execute(tx, 'LOCK TABLE shipping_zones IN SHARE ROW EXCLUSIVE MODE');
}

export async function insertZones(tx: Tx, zones: readonly Attributes<ShippingZone>[]): Promise<void> {
  await table(tx, ShippingZone).insertAll(zones);
}

/** Removes zones that no method uses, so that their countries may join other zones; those in `keptNames` stay. */
export async function removeUnusedZones(tx: Tx, keptNames: readonly string[]): Promise<void> {
  await execute(
    tx,
    `DELETE FROM shipping_zones z WHERE z.name <> ALL ($1::text[]) AND NOT EXISTS (
       SELECT 1 FROM shipping_rates r JOIN shipping_methods m ON m.id = r.method_id
       WHERE r.zone_id = z.id AND m.deleted_at IS NULL)`,
    [keptNames],
  );
}

/** Replaces the countries of zones. A country belongs to one zone, so all old ones go before any new one comes. */
export async function replaceZoneCountries(
  tx: Tx,
  zones: readonly { zoneId: string; countries: readonly string[] }[],
): Promise<void> {
  const pairs = zones.flatMap(({ zoneId, countries }) =>
    [...new Set(countries)].map((country) => ({ zoneId, country })),
  );
  await table(tx, ShippingZoneCountry).remove({ zoneId: zones.map(({ zoneId }) => zoneId) });
  await table(tx, ShippingZoneCountry).insertAll(pairs);
}

export async function removeRates(tx: Tx, methodId: string): Promise<void> {
  await table(tx, ShippingRate).remove({ methodId });
}

export async function insertRates(tx: Tx, rates: readonly Attributes<ShippingRate>[]): Promise<void> {
  await table(tx, ShippingRate).insertAll(rates);
}
