/** A report's value as forms read it: a field that its sender has set to null, in the report or in its data, is absent. */
export function withoutNulls(report: unknown): unknown {
  const present = presentIn(report);
  return isObject(present) && 'data' in present ? { ...present, data: presentIn(present['data']) } : present;
}

const presentIn = (value: unknown): unknown =>
  isObject(value) ? Object.fromEntries(Object.entries(value).filter(([, held]) => held !== null)) : value;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
