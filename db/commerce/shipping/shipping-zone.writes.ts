import { v7 } from 'uuid';
import { zoneContradictions } from '../../../workflows/commerce/shipping/shipping-zone.rules';
import { refusal } from '../../../workflows/errors';
import { execute, type Tx } from '../../sql/query';
import { standingZones, type ZoneRecord } from './shipping-method-record.reads';

/** A method's price in a zone; null countries leave those of the zone as they are. */
export type ZonePrice = Omit<ZoneRecord, 'countries'> & { countries: readonly string[] | null };

/** Lets no other change of zones begin before this transaction ends. Buyers read on. */
export async function takeZonesTurn(tx: Tx): Promise<void> {
  await execute(tx, 'LOCK TABLE shipping_zones IN SHARE ROW EXCLUSIVE MODE');
}

/**
 * Sets where a method goes and what it asks there, in place of all before. The countries of a zone are set for every
 * method that goes there. The caller has taken its turn. Refused: VALIDATION_ERROR for a country that lies elsewhere.
 */
export async function setZones(tx: Tx, methodId: string, wishes: readonly ZonePrice[]): Promise<void> {
  await execute(tx, 'DELETE FROM shipping_rates WHERE method_id = $1', [methodId]);
  await dropUnused(tx, wishes);
  const standing = await standingZones(tx);
  const wrong = zoneContradictions(wishes, standing);
  if (Object.keys(wrong).length > 0)
    throw refusal('VALIDATION_ERROR', 'The shipping zones are not valid.', wrong);

  const idOf = new Map(standing.map(({ id, name }) => [name, id]));
  const fresh = wishes.filter(({ name }) => !idOf.has(name)).map(({ name }) => ({ id: v7(), name }));
  for (const { id, name } of fresh) idOf.set(name, id);
  await execute(tx, 'INSERT INTO shipping_zones (id, name) SELECT * FROM unnest($1::uuid[], $2::text[])', [
    fresh.map(({ id }) => id),
    fresh.map(({ name }) => name),
  ]);
  const priced = wishes.flatMap((wish) => {
    const zoneId = idOf.get(wish.name);
    return zoneId === undefined ? [] : [{ ...wish, zoneId }];
  });
  await setCountries(tx, priced);
  await setRates(tx, methodId, priced);
}

type Placed<Wish> = Wish & { zoneId: string };

async function setCountries(tx: Tx, wishes: readonly Placed<ZonePrice>[]): Promise<void> {
  const pairs = wishes.flatMap(({ zoneId, countries }) =>
    [...new Set(countries ?? [])].map((country) => ({ zoneId, country })),
  );
  const changing = wishes.filter(({ countries }) => countries !== null).map(({ zoneId }) => zoneId);
  await execute(tx, 'DELETE FROM shipping_zone_countries WHERE zone_id = ANY ($1::uuid[])', [changing]);
  await execute(
    tx,
    'INSERT INTO shipping_zone_countries (country, zone_id) SELECT * FROM unnest($1::text[], $2::uuid[])',
    [pairs.map(({ country }) => country), pairs.map(({ zoneId }) => zoneId)],
  );
}

async function setRates(tx: Tx, methodId: string, wishes: readonly Placed<ZonePrice>[]): Promise<void> {
  await execute(
    tx,
    `INSERT INTO shipping_rates (method_id, zone_id, base_minor, per_kg_minor)
     SELECT $1, * FROM unnest($2::uuid[], $3::bigint[], $4::bigint[])`,
    [
      methodId,
      wishes.map(({ zoneId }) => zoneId),
      wishes.map(({ baseMinor }) => baseMinor),
      wishes.map(({ perKgMinor }) => perKgMinor),
    ],
  );
}

/** Zones where no method is left to go and none is about to: their countries can lie in others then. */
async function dropUnused(tx: Tx, wishes: readonly ZonePrice[]): Promise<void> {
  await execute(
    tx,
    `DELETE FROM shipping_zones z WHERE z.name <> ALL ($1::text[]) AND NOT EXISTS (
       SELECT 1 FROM shipping_rates r JOIN shipping_methods m ON m.id = r.method_id
       WHERE r.zone_id = z.id AND m.deleted_at IS NULL)`,
    [wishes.map(({ name }) => name)],
  );
}
