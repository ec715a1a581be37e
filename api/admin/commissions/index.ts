import { adjustCommissionEndpoint } from './adjust';
import { explainAnyCommission } from './explain';
import { exportAllCommissions } from './export';
import { listAllCommissions } from './list';

export const adminCommissionEndpoints = [
  listAllCommissions,
  exportAllCommissions,
  explainAnyCommission,
  adjustCommissionEndpoint,
];
