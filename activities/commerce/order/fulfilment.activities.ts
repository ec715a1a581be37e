import type { Policy } from '../../../db/policy/config';
import type { Db } from '../../../db/sql/query';
import type { FulfilmentActivities } from '../../../workflows/commerce/order/fulfilment.contract';
import { beginProcessing } from './begin-processing';
import { deliverInTime } from './deliver-in-time';
import { fulfilmentDeadline } from './fulfilment-deadline';
import { moveOrder } from './move-order';
import { orderActivities } from './order.activities';

/** The steps of a fulfilment. */
export const fulfilmentActivities = ({ db, policy }: { db: Db; policy: Policy }): FulfilmentActivities => ({
  ...orderActivities({ db }),
  beginProcessing: (order) => beginProcessing(db, order),
  fulfilmentDeadline: (order) => fulfilmentDeadline(db, policy, order),
  deliverInTime: (order) => deliverInTime(db, policy, order),
  moveOrder: (move) => moveOrder(db, move),
});
