import type { Tx } from '../sql/query';

/** A violation of a rule: the row that it is about, and a description. */
export interface Offence {
  /** The id of the row, or another name that it can be found by. */
  entity: string;
  detail: string;
}

/** A rule that holds at all times, after any failure. */
export interface Invariant {
  /** `<area>.<rule>`; never changed after its first release. */
  readonly id: string;
  /** The rule, as a sentence that is true while it holds. */
  readonly says: string;
  /**
   * Finds the rows that break it: one SELECT of `entity` and `detail`. For what must have happened *by now*,
   * `(SELECT overdue FROM clock)` is the moment before which it became due; `overdue_event` that of a report that waits for
   * what it is about, and is given up some time after the policy's patience.
   */
  readonly sql: string;
}

/** A rule that SQL cannot express. It runs in one snapshot and only reads. */
export interface ComputedInvariant extends Pick<Invariant, 'id' | 'says'> {
  readonly find: (tx: Tx) => Promise<Offence[]>;
}

/** An offence with the rule that it breaks. */
export interface Broken extends Offence {
  /** The invariant's id. */
  invariant: string;
}
