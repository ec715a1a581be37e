import type { Policy } from '../../../db/policy/config';
import type { Db } from '../../../db/sql/query';
import type { ProviderEventActivities } from '../../../workflows/investment/provider-event/provider-event.contract';
import { applyProviderEvent } from './apply-provider-event';

/** The other activities of reports are those of payments' reports. */
export const providerEventActivities = ({
  db,
  policy,
}: {
  db: Db;
  policy: Policy;
}): Pick<ProviderEventActivities, 'applyProviderEvent'> => ({
  applyProviderEvent: (event) => applyProviderEvent({ db, policy }, event),
});
