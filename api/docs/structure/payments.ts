import { allSchemas, referredIn, type Document, type Schema } from './schema';

/** The fields of an answer that belong to one method of payment. */
const MEANS: Readonly<Record<string, readonly string[]>> = {
  CARD: ['paymentUrl'],
  EWALLET: ['paymentUrl'],
  BANK_TRANSFER: ['bankDetails'],
  BALANCE: [],
};

const ALL_MEANS = [...new Set(Object.values(MEANS).flat())];

/** Describes each payment with means to pay as one of several schemas by its `method`, which clients can tell apart. */
export function discriminatePayments(document: Document): void {
  for (const schema of allSchemas(document)) {
    const { properties, required = [], description } = schema;
    if (!properties?.['method'] || !ALL_MEANS.every((name) => name in properties)) continue;
    const { method: field } = properties;
    const told = field.description ?? document.components.schemas[referredIn(field) ?? '']?.description;
    const oneOf = Object.entries(MEANS).map(([method, means]): Schema => {
      const others = ALL_MEANS.filter((name) => !means.includes(name));
      const own = Object.entries(properties).filter(([name]) => !others.includes(name));
      return {
        type: 'object',
        properties: {
          ...structuredClone(Object.fromEntries(own)),
          method: { type: 'string', const: method, ...(told !== undefined && { description: told }) },
        },
        required,
      };
    });
    for (const keyword of Object.keys(schema)) Reflect.deleteProperty(schema, keyword);
    Object.assign(schema, { oneOf, ...(description !== undefined && { description }) });
  }
}
