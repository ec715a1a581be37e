import { v7 } from 'uuid';
import { allZones, type ZoneRecord } from '../../../db/commerce/shipping/shipping-method-record.reads';
import {
  insertRates,
  insertZones,
  removeRates,
  removeUnusedZones,
  replaceZoneCountries,
} from '../../../db/commerce/shipping/shipping-zone.writes';
import type { Tx } from '../../../db/sql/query';
import { zoneContradictions } from '../../../workflows/commerce/shipping/shipping-zone.rules';
import { businessRefusal } from '../../../workflows/errors';

/** A method's price in a zone; null countries leave those of the zone as they are. */
export type ZonePrice = Omit<ZoneRecord, 'countries'> & { countries: readonly string[] | null };

/**
 * Replaces a method's zones and its prices there. The countries of a zone are set for every method that uses it. The
 * caller has locked the zones. Refused: VALIDATION_ERROR for a country that belongs to another zone.
 */
export async function setZones(tx: Tx, methodId: string, prices: readonly ZonePrice[]): Promise<void> {
  await removeRates(tx, methodId);
  await removeUnusedZones(
    tx,
    prices.map(({ name }) => name),
  );
  const existing = await allZones(tx);
  const wrong = zoneContradictions(prices, existing);
  if (Object.keys(wrong).length > 0)
    throw businessRefusal(
      'SHIPPING_ZONES_CONFLICT',
      'The shipping zones contradict each other or existing ones.',
      wrong,
    );

  const idOf = new Map(existing.map(({ id, name }) => [name, id]));
  const added = prices.filter(({ name }) => !idOf.has(name)).map(({ name }) => ({ id: v7(), name }));
  for (const { id, name } of added) idOf.set(name, id);
  await insertZones(tx, added);
  const zones = prices.flatMap((price) => {
    const zoneId = idOf.get(price.name);
    return zoneId === undefined ? [] : [{ ...price, zoneId }];
  });
  await replaceZoneCountries(
    tx,
    zones.flatMap(({ zoneId, countries }) => (countries === null ? [] : [{ zoneId, countries }])),
  );
  await insertRates(
    tx,
    zones.map(({ zoneId, baseMinor, perKgMinor }) => ({ methodId, zoneId, baseMinor, perKgMinor })),
  );
}
