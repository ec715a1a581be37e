export const lists: readonly string[];
