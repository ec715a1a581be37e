import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import { now } from '../../kit/proxies';
import type {
  EntranceSweepBatch,
  EntranceSweepPosition,
  PartnerSweepActivities,
  PartnerSweepResult,
} from './partner-sweep.contract';

const sweeping = proxyActivities<PartnerSweepActivities>({
  startToCloseTimeout: '30 seconds',
  scheduleToCloseTimeout: '2 minutes',
  retry: { initialInterval: '1 second', maximumInterval: '30 seconds', maximumAttempts: 3 },
});

/** Enough for a thousand entrance fees in one sweep; the rest waits for the next one. */
const MOST_ROUNDS = 5;

/** One sweep. It fails rather than parks when Temporal or the database is away: the next one comes in a minute. */
export async function partnerSweep(): Promise<PartnerSweepResult> {
  const consumers = await sweeping.startEventConsumers();
  const failures = await sweeping.startEventFailures({ at: now() });
  const entrances = await startEntrances();
  setCurrentDetails(
    `Started ${consumers} consumers of events and the processes of ${failures} parked events and ${entrances} entrance fees.`,
  );
  return { consumers, failures, entrances };
}

async function startEntrances(): Promise<number> {
  const at = now();
  let started = 0;
  let after: EntranceSweepPosition | null = null;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const batch: EntranceSweepBatch = await sweeping.startForgottenEntrances({ at, after });
    started += batch.started;
    after = batch.after;
    if (after === null) break;
  }
  return started;
}
