import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import { now } from '../../kit/proxies';
import { LONG_QUEUE } from '../../kit/queues';
import type {
  CataloguePopularityActivities,
  CataloguePopularityResult,
} from './catalogue-popularity.contract';

const batches = proxyActivities<CataloguePopularityActivities>({
  taskQueue: LONG_QUEUE,
  startToCloseTimeout: '2 minutes',
  scheduleToCloseTimeout: '1 hour',
  retry: { initialInterval: '1 second', maximumInterval: '1 minute', maximumAttempts: 10 },
});

/** At 2,000 products a round, a million; the rest waits for the next day. */
const MOST_ROUNDS = 500;

/** One recount. It fails instead of parking when the database is unavailable: the next day's recount catches up. */
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
