/**
 * A name to sort by, in the order of Unicode's collation instead of code points: capitals and accents next to their
 * letters. An index serves it only if it has the same collation.
 */
export const byName = (name: string): string => `${name} COLLATE "und-x-icu"`;
