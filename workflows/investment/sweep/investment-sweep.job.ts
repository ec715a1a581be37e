import { defineJob } from '../../kit/job/job.contract';

/**
 * Starts the processes of participations, withdrawals and payouts that should have moved on and have none any more, because it
 * was lost or abandoned. One that runs, or waits for an operator, is left as it is.
 */
export const investmentSweep = defineJob({
  id: 'investment-sweep',
  area: 'investment',
  says: 'Participations and payouts without a process',
  at: { every: '1 hour', offset: '47 minutes' },
});
