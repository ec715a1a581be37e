import type { Job } from '../../kit/job/job.contract';

/**
 * Starts the processes of participations, withdrawals, payouts and refunds that should have moved on and have none any more, because it
 * was lost or abandoned. One that runs, or waits for an operator, is left as it is.
 */
export const investmentSweep: Job = {
  id: 'investment-sweep',
  area: 'investment',
  says: 'Participations, payouts, refunds without a process',
  at: { every: '1 hour', offset: '47 minutes' },
};
