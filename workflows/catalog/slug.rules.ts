/** As much of a name as an address shows, in whole characters. */
const LEADING = /^.{0,80}/su;

/**
 * A name as part of an address: small letters and digits of any script with hyphens between them, Latin, Greek and
 * Cyrillic ones without accents. One that has neither letters nor digits becomes `nameless`.
 */
export function slugOf(name: string, nameless = 'product'): string {
  const words = name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-');
  const [cut = ''] = LEADING.exec(words.replace(/^-/, '')) ?? [];
  return cut.replace(/-+$/, '') || nameless;
}

/** What slugs that could meet have in common: `lamp`, `lamp-2` and the second `lamp-2`, which is `lamp-2-2`. */
export const slugRoot = (slug: string): string => slug.replace(/(-\d+)+$/, '');
