import type { Policy } from '../../../db/policy/config';
import type { ProviderEventActivities } from '../../../workflows/investment/provider-event/provider-event.contract';
import { steps, type DbDeps } from '../../steps';
import { applyProviderEvent } from './apply-provider-event';

type Activities = Pick<ProviderEventActivities, 'applyProviderEvent'>;

type Deps = DbDeps & { policy: Policy };

/** The other activities of reports are those of payments' reports. */
export const providerEventActivities = (deps: Deps): Activities =>
  steps<Activities, Deps>(deps, { applyProviderEvent });
