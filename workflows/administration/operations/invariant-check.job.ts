import type { Job } from '../../kit/job/job.contract';

/**
 * Checks tables and processes. Besides taking terminated processes off the operators' list it repairs nothing: a broken invariant
 * has a cause that a person has to find.
 */
export const invariantCheck: Job = {
  id: 'invariant-check',
  area: 'administration',
  says: 'Check of tables and processes against the invariants',
  at: { every: '1 hour', offset: '17 minutes' },
};
