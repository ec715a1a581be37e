/** The fields in which two states of an object differ, before and after. */
interface ChangedFields<Before, After> {
  previous: Partial<Before>;
  next: Partial<After>;
}

/**
 * The fields that differ between two states of an object, also those that only one of them has; null without a difference.
 * Values are compared as JSON.
 */
export function changedFields<Before extends object, After extends object = Before>(
  before: Before,
  after: After,
): ChangedFields<Before, After> | null {
  const [earlier, later] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  const differs = ([name]: [string, unknown]): boolean =>
    JSON.stringify(earlier.get(name)) !== JSON.stringify(later.get(name));
  const previous = [...earlier].filter(differs);
  const next = [...later].filter(differs);
  if (previous.length + next.length === 0) return null;
  return {
    previous: Object.fromEntries(previous) as Partial<Before>,
    next: Object.fromEntries(next) as Partial<After>,
  };
}
