import type { RefusalDetails } from '../../../workflows/errors';

/** Deeper than any contract; only hostile input is deeper. */
const DEEPEST = 32;
const LONE_SURROGATE = /\p{Surrogate}/u;
const NUL = '\u0000';

/**
 * The first text in a value that cannot be stored, by dotted path: with a NUL, which PostgreSQL refuses, or half a
 * surrogate pair, which UTF-8 cannot encode. Null if all texts are usable.
 */
export function unusableText(value: unknown): RefusalDetails | null {
  const found = search(value, '', 0);
  return found && Object.fromEntries([[found.path, [found.why]]]);
}

interface Found {
  path: string;
  why: string;
}

function search(value: unknown, path: string, depth: number): Found | null {
  if (typeof value === 'string')
    return isUsable(value) ? null : { path, why: 'must not contain NUL or broken characters' };
  if (typeof value !== 'object' || value === null) return null;
  if (depth >= DEEPEST) return { path, why: `must not be nested deeper than ${DEEPEST} levels` };
  for (const [key, inner] of Object.entries(value)) {
    const here = path === '' ? key : `${path}.${key}`;
    const found = isUsable(key)
      ? search(inner, here, depth + 1)
      : { path, why: 'must not have NUL or broken characters in its name' };
    if (found) return found;
  }
  return null;
}

/** Combining marks, and letters that may be composed, begin here. */
const MAY_BE_DECOMPOSED = /[\u0300-\uFFFF]/;

/**
 * A value with all its texts in Unicode's form NFC, names of fields too, so that texts that look alike are equal wherever
 * they are searched, compared or hashed. Of plain objects and lists; anything else is returned as it is.
 */
export function inNfc<Value>(value: Value): Value;
export function inNfc(value: unknown): unknown {
  if (typeof value === 'string') return MAY_BE_DECOMPOSED.test(value) ? value.normalize('NFC') : value;
  if (Array.isArray(value)) return value.map((item: unknown) => inNfc(item));
  if (!isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [inNfc(name), inNfc(inner)]));
}

function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** True if a text can be stored and sent again. */
export const isUsable = (text: string): boolean => !text.includes(NUL) && !LONE_SURROGATE.test(text);
