import { explainCommission } from './explain';
import { exportCommissions } from './export';
import { showCommissionHistory } from './history';
import { listCommissions } from './list';
import { summariseCommissions } from './summary';

export const commissionEndpoints = [
  listCommissions,
  summariseCommissions,
  showCommissionHistory,
  exportCommissions,
  explainCommission,
];
