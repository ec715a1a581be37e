import type { Job } from '../../kit/job/job.contract';

/**
 * Starts the processes of top-ups past their payment window that have none any more, because it was lost or abandoned. One that
 * runs, or waits for an operator, is left as it is.
 */
export const topUpSweep: Job = {
  id: 'top-up-sweep',
  area: 'ledger',
  says: 'Top-ups past their window without a process',
  at: { every: '1 hour', offset: '37 minutes' },
};
