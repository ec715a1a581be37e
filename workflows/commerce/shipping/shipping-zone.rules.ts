/** A zone as an administrator wishes it for a method: by its name, which all methods share. */
export interface ZoneInput {
  name: string;
  /** Null leaves those of a zone that is there as they are. */
  countries: readonly string[] | null;
}

/** A zone as it stands. */
export interface Zone {
  name: string;
  countries: readonly string[];
}

/**
 * What is wrong with a method's zones beside those that stand, by the field of the wish; nothing when they can be. A
 * country lies in one zone: it moves only when the zone that it leaves is wished without it in the same breath.
 */
export function zoneContradictions(
  wishes: readonly ZoneInput[],
  standing: readonly Zone[],
): Record<string, string[]> {
  const wrong: Record<string, string[]> = {};
  const holders = holdersAfter(wishes, standing);
  wishes.forEach(({ name, countries }, index) => {
    if (wishes.findIndex((other) => other.name === name) < index)
      wrong[`zones.${index}.name`] = ['is named twice'];
    if (countries === null && !standing.some((zone) => zone.name === name))
      wrong[`zones.${index}.countries`] = ['must be given, for there is no zone of this name yet'];
    const elsewhere = (countries ?? []).flatMap((country) =>
      [...(holders.get(country) ?? [])]
        .filter((zone) => zone !== name)
        .map((zone) => `${country} lies in "${zone}"`),
    );
    if (elsewhere.length > 0) wrong[`zones.${index}.countries`] = elsewhere;
  });
  return wrong;
}

/** Which zones would hold each country: those of the wish as wished, the others as they stand. */
function holdersAfter(wishes: readonly ZoneInput[], standing: readonly Zone[]): Map<string, Set<string>> {
  const wished = wishes.flatMap(({ name, countries }) => (countries === null ? [] : [{ name, countries }]));
  const kept = standing.filter(({ name }) => !wished.some((zone) => zone.name === name));
  const holders = new Map<string, Set<string>>();
  for (const { name, countries } of [...wished, ...kept])
    for (const country of countries) holders.set(country, (holders.get(country) ?? new Set()).add(name));
  return holders;
}
