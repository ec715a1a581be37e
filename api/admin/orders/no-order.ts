import { refusal } from '../../../workflows/errors';

/** There is no order of the id that an administrator named. */
export const noOrder = (): Error => refusal('ORDER_NOT_FOUND', 'There is no such order.');
