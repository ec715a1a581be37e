import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import { now } from '../../kit/proxies';
import type {
  CataloguePopularityActivities,
  CataloguePopularityResult,
} from './catalogue-popularity.contract';

const batches = proxyActivities<CataloguePopularityActivities>({
  startToCloseTimeout: '2 minutes',
  scheduleToCloseTimeout: '1 hour',
  retry: { initialInterval: '1 second', maximumInterval: '1 minute', maximumAttempts: 10 },
});

/** A million products; what is more waits for tomorrow's recount. */
const MOST_ROUNDS = 500;

/** One recount. It fails rather than parks when the database is away: tomorrow's makes up for it. */
export async function cataloguePopularity(): Promise<CataloguePopularityResult> {
  const at = now();
  let changed = 0;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const batch = await batches.recountPopularity({ at });
    changed += batch.changed;
    if (!batch.full) break;
  }
  setCurrentDetails(`Products whose popularity changed: ${changed}`);
  return { changed };
}
