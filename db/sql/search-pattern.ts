/** A pattern for LIKE and ILIKE that finds these words anywhere, each character as it stands. */
export const anywhere = (words: string): string => `%${words.replace(/[\\%_]/g, '\\$&')}%`;
