/** The fields that were sent, without those that were left out; null was sent. */
export type SentFields<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };

/** Leaves out what was left out, so that it overwrites nothing. */
export const sentFields = <Fields extends object>(fields: Fields): SentFields<Fields> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as SentFields<Fields>;
