/**
 * Descriptions by the name of a field. `Owner.name` comes before `name`; the owner is the schema or the field that
 * holds it, of a parameter the operation id.
 */
export type FieldWords = Readonly<Record<string, string>>;
