/** Printable ASCII without spaces and `@`: an id, and neither an email address nor a name. */
const ID = /^[\x21-\x3f\x41-\x7e]{1,255}$/;

/** The id at the first of these paths of a report's value that has one; null where none has. */
export function idAt(value: unknown, ...paths: readonly (readonly string[])[]): string | null {
  for (const path of paths) {
    const found = path.reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), value);
    if (typeof found === 'string' && ID.test(found)) return found;
  }
  return null;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
