/** A pattern for LIKE and ILIKE that finds this text anywhere, its wildcards taken literally. */
export const anywhere = (words: string): string => `%${words.replace(/[\\%_]/g, '\\$&')}%`;

/** A pattern that finds texts that begin with it. */
export const startingWith = (words: string): string => anywhere(words).slice(1);
