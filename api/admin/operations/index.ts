import { abandonOperation } from './abandon';
import { listOperations } from './list';
import { retryOperation } from './retry';
import { retryOperations } from './retry-many';
import { settleOperation } from './settle';

export const adminOperationEndpoints = [
  listOperations,
  retryOperations,
  retryOperation,
  abandonOperation,
  settleOperation,
];
