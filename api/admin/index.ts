import { abandonOperation, retryOperation } from './operations/decide';
import { listOperations } from './operations/list';
import { confirmPayment } from './orders/confirm-payment';

export const adminEndpoints = [confirmPayment, listOperations, retryOperation, abandonOperation];
