/**
 * The operation ids and the descriptions of successful answers, by method and path. Operation ids are the function
 * names of generated clients, and request and answer schemas are named after them, so they never change.
 */
export type OperationWords = Readonly<Record<string, readonly [operationId: string, answer: Answer]>>;

/** One text for every status of success, or one for each. */
type Answer = string | Readonly<Partial<Record<number, string>>>;
