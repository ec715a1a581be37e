import type { Tx } from '../sql/query';

/** Something that is not as it must be: what it is about, and what is wrong with it. */
export interface Offence {
  /** The id of the row, or another name that it can be found by. */
  entity: string;
  detail: string;
}

/** Something that holds at every moment, whatever happened, whoever died. */
export interface Invariant {
  /** `<area>.<what>`; never changed once it is known. */
  readonly id: string;
  /** The rule, as a sentence that is true when all is well. */
  readonly says: string;
  /**
   * Finds the rows that break it: one SELECT of `entity` and `detail`. What must have happened *by now* is judged by
   * `(SELECT overdue FROM clock)`, the moment before which it should have.
   */
  readonly sql: string;
}

/** The same for a rule that SQL cannot put. It runs in the checker's snapshot and only reads. */
export interface ComputedInvariant extends Pick<Invariant, 'id' | 'says'> {
  readonly find: (tx: Tx) => Promise<Offence[]>;
}

/** An offence with the rule it is against. */
export interface Broken extends Offence {
  /** The invariant's id. */
  invariant: string;
}
