/** The outcomes of a payment, or of a chargeback of one, that a report can state of money that has moved. */
export type MovementOutcome = 'PAID' | 'TAKEN' | 'LOST' | 'RETURNED';

/** The facts of a report, read when it comes: lists and checks compare these, and never its text, which may be anything. */
export interface ReportFacts {
  /** The sender's id of what it is about; null where it names none. */
  subject: string | null;
  /**
   * The sender's id of the money that it says has moved: of a payment, a chargeback, an investment, a profit or a payout; null
   * where it says so of none.
   */
  movement: string | null;
  /** Its outcome of a payment or a chargeback; null for everything else. */
  outcome: MovementOutcome | null;
  /**
   * The amount that it says an investment has moved, in minor units of the platform's currency, of a payout less what its provider
   * kept; null where it says none, and for payments.
   */
  amountMinor: number | null;
}

/** Printable ASCII without spaces and `@`: an id, and neither an email address nor a name. */
const ID = /^[\x21-\x3f\x41-\x7e]{1,255}$/;

/** The id at the first of these paths of a report's value that has one; null where none has. */
export function idAt(value: unknown, ...paths: readonly (readonly string[])[]): string | null {
  for (const path of paths) {
    const found = valueAt(value, path);
    if (typeof found === 'string' && ID.test(found)) return found;
  }
  return null;
}

/** The value at a path of a report's value; undefined where there is none. */
export const valueAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), value);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
