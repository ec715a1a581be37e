/** A pattern for LIKE that finds this text anywhere, its wildcards taken literally. */
export const anywhere = (words: string): string => `%${words.replace(/[\\%_]/g, '\\$&')}%`;

/** The same for texts that begin with it. */
export const startingWith = (words: string): string => anywhere(words).slice(1);

/**
 * The condition that a text contains what `pattern` was bound to by `anywhere`, ignoring case and accents. An index serves
 * it only if it is on `search_key` of the same expression.
 */
export const contains = (text: string, pattern: string): string =>
  `search_key(${text}) LIKE search_key(${pattern})`;
