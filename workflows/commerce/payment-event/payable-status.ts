import type { ParticipationStatus } from '../../investment/participation/participation.states';
import type { EntranceStatus } from '../../partners/membership/entrance.states';
import type { OrderStatus } from '../order/order.states';

/** The status of anything that can be paid for; a top-up has those of an entrance fee. */
export type PayableStatus = OrderStatus | ParticipationStatus | EntranceStatus;
