import type { Job } from '../../kit/job/job.contract';

/** Starts the comparison of the day that has ended with every provider, and of earlier days that were missed. */
export const providerReconciliation: Job = {
  id: 'provider-reconciliation',
  area: 'commerce',
  says: 'Statements of payment providers of the day before',
  at: { daily: '01:30' },
  eachTimeOf: '7 days',
};
