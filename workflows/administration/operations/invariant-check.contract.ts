import { defineProcess } from '../../kit/process';

/** The findings of one check. */
export interface InvariantFindings {
  /** The number of rows and processes that break an invariant; they are kept in invariant_runs. */
  broken: number;
  /** The ids of the broken invariants. */
  invariants: string[];
}

/** Checks tables and processes against the invariants. */
export const invariantCheckProcess = defineProcess<Record<string, never>, InvariantFindings>({
  type: 'invariantCheck',
  queue: 'batch',
  repeatable: true,
  area: 'administration',
  id: () => 'invariant-check',
  entityId: () => 'invariants',
  summary: () => 'Check of tables and processes against the invariants',
});

export interface InvariantCheckActivities {
  /** `at`, in ISO 8601, identifies the check: a repetition does not keep its findings again. */
  checkInvariants: (check: { at: string }) => Promise<InvariantFindings>;
}
