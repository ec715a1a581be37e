import type { Job } from '../../kit/job/job.contract';

/**
 * Compares participations with what their providers reported, adds up what each of these owes, and sets the returns of strategies
 * by month. It corrects nothing: a difference has a cause, and a person has to find it.
 */
export const investmentReconciliation: Job = {
  id: 'investment-reconciliation',
  area: 'investment',
  says: 'Participations against reports; returns by month',
  at: { daily: '02:30' },
};
