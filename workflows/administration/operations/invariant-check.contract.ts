import { defineProcess } from '../../kit/process';

/** What one check found. */
export interface InvariantFindings {
  /** How many rows and processes are not as they must be; they are kept in invariant_runs. */
  broken: number;
  /** The ids of the invariants that are broken. */
  invariants: string[];
}

/** Holds tables and processes against everything that must be true of them. */
export const invariantCheckProcess = defineProcess<Record<string, never>, InvariantFindings>({
  type: 'invariantCheck',
  queue: 'batch',
  repeatable: true,
  area: 'administration',
  id: () => 'invariant-check',
  entityId: () => 'invariants',
  summary: () => 'What must hold, held against what is',
});

export interface InvariantCheckActivities {
  /** `at`, in ISO 8601, names the check: repeated, it does not keep its findings again. */
  checkInvariants: (check: { at: string }) => Promise<InvariantFindings>;
}
