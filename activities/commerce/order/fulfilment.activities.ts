import type { Policy } from '../../../db/policy/config';
import type { FulfilmentActivities } from '../../../workflows/commerce/fulfilment/fulfilment.contract';
import { steps, type DbDeps } from '../../steps';
import { beginProcessing } from './begin-processing';
import { deliverInTime } from './deliver-in-time';
import { fulfilmentDeadline } from './fulfilment-deadline';
import { moveOrder } from './move-order';
import { orderUseCases } from './order.activities';

type Deps = DbDeps & { policy: Policy };

/** The steps of a fulfilment. */
export const fulfilmentActivities = (deps: Deps): FulfilmentActivities =>
  steps<FulfilmentActivities, Deps>(deps, {
    ...orderUseCases,
    beginProcessing,
    fulfilmentDeadline,
    deliverInTime,
    moveOrder,
  });
