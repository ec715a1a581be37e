import type { Job } from '../kit/job/job.contract';

/**
 * Compares balances with their entries: those with new entries, once a week all. The database keeps them equal; this finds out if
 * it does not. It corrects only checkpoints, which are sums: a difference has a cause, and a person has to find it.
 */
export const ledgerReconciliation: Job = {
  id: 'ledger-reconciliation',
  area: 'ledger',
  says: 'Balances against their entries',
  at: { daily: '03:00' },
};
