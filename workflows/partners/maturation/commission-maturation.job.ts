import type { Job } from '../../kit/job/job.contract';

/**
 * Commissions whose time has come become APPROVED, but for those whose order has an open refund, which are looked at again the
 * next day.
 */
export const commissionMaturation: Job = {
  id: 'commission-maturation',
  area: 'partners',
  says: 'Commissions whose time has come',
  at: { daily: '00:10' },
};
