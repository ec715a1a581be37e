import type { OperationWords } from '../words';

/** Commissions and ranks, as partners and administrators read them. */
export const commissionOperations: OperationWords = {
  'GET /mlm/commissions': ['listCommissions', 'One page of your commissions'],
  'GET /mlm/commissions/summary': ['summariseCommissions', 'The sums by status and by type'],
  'GET /mlm/commissions/history': ['getCommissionHistory', 'The sums by period'],
  'GET /mlm/commissions/export': ['exportOwnCommissions', 'Your commissions as CSV'],
  'GET /mlm/commissions/:id/explain': ['explainOwnCommission', 'The commission, and how it came about'],
  'GET /mlm/statements/:month': ['getStatement', 'The statement of the month'],
  'GET /mlm/statements/:month/export': ['exportStatement', 'The statement as CSV'],
  'GET /mlm/ranks/current': ['getCurrentRank', 'Your rank'],
  'GET /mlm/ranks/progress': ['getRankProgress', 'The next rank and its requirements'],
  'GET /mlm/ranks/history': ['listRankChanges', 'One page of your changes of rank'],
  'GET /admin/commissions': ['listAllCommissions', 'One page of commissions, and what they come to'],
  'GET /admin/commissions/export': ['exportCommissions', 'The commissions as CSV'],
  'GET /admin/commissions/:id/explain': ['explainCommission', 'The commission, and how it came about'],
  'POST /admin/commissions/:id/adjust': ['adjustCommission', 'The commission before and after'],
};
