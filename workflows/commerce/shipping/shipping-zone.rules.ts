/** A zone in a request for a method, known by its name, which all methods share. */
export interface ZoneInput {
  name: string;
  /** Null: the countries of an existing zone stay. */
  countries: readonly string[] | null;
}

/** An existing zone. */
export interface Zone {
  name: string;
  countries: readonly string[];
}

/**
 * Contradictions between requested and existing zones, by field of the request; empty when there are none. A country
 * belongs to one zone: it can move only when the zone that it leaves is requested without it at the same time.
 */
export function zoneContradictions(
  requested: readonly ZoneInput[],
  existing: readonly Zone[],
): Record<string, string[]> {
  const wrong: Record<string, string[]> = {};
  const zonesOf = zonesByCountry(requested, existing);
  requested.forEach(({ name, countries }, index) => {
    if (requested.findIndex((other) => other.name === name) < index)
      wrong[`zones.${index}.name`] = ['is repeated'];
    if (countries === null && !existing.some((zone) => zone.name === name))
      wrong[`zones.${index}.countries`] = ['is required for a new zone'];
    const elsewhere = (countries ?? []).flatMap((country) =>
      [...(zonesOf.get(country) ?? [])]
        .filter((zone) => zone !== name)
        .map((zone) => `${country} is already in "${zone}"`),
    );
    if (elsewhere.length > 0) wrong[`zones.${index}.countries`] = elsewhere;
  });
  return wrong;
}

/** The zones of each country after the change: requested zones as requested, the others unchanged. */
function zonesByCountry(
  requested: readonly ZoneInput[],
  existing: readonly Zone[],
): Map<string, Set<string>> {
  const replaced = requested.flatMap(({ name, countries }) =>
    countries === null ? [] : [{ name, countries }],
  );
  const kept = existing.filter(({ name }) => !replaced.some((zone) => zone.name === name));
  const zones = new Map<string, Set<string>>();
  for (const { name, countries } of [...replaced, ...kept])
    for (const country of countries) zones.set(country, (zones.get(country) ?? new Set()).add(name));
  return zones;
}
