/**
 * The operation ids and the descriptions of successful answers, by method and path. Operation ids are the function
 * names of generated clients, and request and answer schemas are named after them, so they never change. A description
 * is for an endpoint that has none of its own.
 */
export type OperationWords = Readonly<
  Record<string, readonly [operationId: string, answer: Answer, description?: string]>
>;

/** One text for every status of success, or one for each. */
type Answer = string | Readonly<Partial<Record<number, string>>>;
