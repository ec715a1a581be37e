import { auditEndpoints } from './audit-logs';
import { abandonOperation } from './operations/abandon';
import { listOperations } from './operations/list';
import { retryOperation } from './operations/retry';
import { confirmPayment } from './orders/confirm-payment';
import { adminUserEndpoints } from './users';

export const adminEndpoints = [
  ...adminUserEndpoints,
  confirmPayment,
  listOperations,
  retryOperation,
  abandonOperation,
  ...auditEndpoints,
];
