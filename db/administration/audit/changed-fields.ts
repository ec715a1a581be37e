/** The fields in which two states of an object differ, before and after. */
interface ChangedFields<Thing> {
  previous: Partial<Thing>;
  next: Partial<Thing>;
}

/** The changed fields of an object for the audit record; null without a change. Values are compared as JSON. */
export function changedFields<Thing extends object>(
  before: Thing,
  after: Thing,
): ChangedFields<Thing> | null {
  const names = (Object.keys(after) as (keyof Thing)[]).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  if (names.length === 0) return null;
  const only = (thing: Thing) =>
    Object.fromEntries(names.map((name) => [name, thing[name]])) as Partial<Thing>;
  return { previous: only(before), next: only(after) };
}
