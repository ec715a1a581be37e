/** The longest slug, in whole characters. */
const LEADING = /^.{0,80}/su;

/**
 * A name as part of a URL: lower-case letters and digits of any script with hyphens between them, without accents on
 * Latin, Greek and Cyrillic letters. `fallback` for a name without letters and digits.
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
  return cut.replace(/-+$/, '') || fallback;
}

/** The common part of slugs that could collide: `lamp`, `lamp-2` and the second `lamp-2`, which is `lamp-2-2`. */
export const slugRoot = (slug: string): string => slug.replace(/(-\d+)+$/, '');
