import { isUuid } from '../kit/values/uuid.rules';

/** The longest slug, in whole characters. */
const LEADING = /^.{0,80}/su;

/** Segments of paths that stand where a slug may, so that a thing of this slug could not be shown. */
const SEGMENTS: ReadonlySet<string> = new Set(['categories', 'export', 'import']);

/** True for a slug by which a path would name something else: the id of a thing, or a part of the API. */
export const namesOther = (slug: string): boolean => SEGMENTS.has(slug) || isUuid(slug);

/**
 * A name as part of a URL: lower-case letters and digits of any script with hyphens between them, without accents on
 * Latin, Greek and Cyrillic letters. `fallback` for a name without letters and digits, and after one that is `namesOther`.
 */
export function slugOf(name: string, fallback = 'product'): string {
  const words = name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-');
  const [cut = ''] = LEADING.exec(words.replace(/^-/, '')) ?? [];
  const slug = cut.replace(/-+$/, '') || fallback;
  return namesOther(slug) ? `${slug}-${fallback}` : slug;
}

/** The common part of slugs that could collide: `lamp`, `lamp-2` and the second `lamp-2`, which is `lamp-2-2`. */
export const slugRoot = (slug: string): string => slug.replace(/(-\d+)+$/, '');
