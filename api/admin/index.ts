import { abandonOperation } from './operations/abandon';
import { listOperations } from './operations/list';
import { retryOperation } from './operations/retry';
import { confirmPayment } from './orders/confirm-payment';

export const adminEndpoints = [confirmPayment, listOperations, retryOperation, abandonOperation];
