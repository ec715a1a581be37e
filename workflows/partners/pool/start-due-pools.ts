import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import { scheduledFor } from '../../kit/proxies';
import type { LeadershipPoolActivities, LeadershipPoolResult } from './leadership-pool.contract';
import type { PoolKind } from './pool-period.rules';

const { startPools } = proxyActivities<LeadershipPoolActivities>({
  startToCloseTimeout: '2 minutes',
  scheduleToCloseTimeout: '6 hours',
  retry: { initialInterval: '1 second', maximumInterval: '1 minute', maximumAttempts: 100 },
});

/** Starts the pools that are due, of one kind. */
export async function startDuePools(kind: PoolKind): Promise<LeadershipPoolResult> {
  const { started } = await startPools({ kind, at: scheduledFor() });
  setCurrentDetails(
    started.length === 0 ? 'No pool was due.' : `Pools that were started: ${started.join(', ')}`,
  );
  return { started };
}
