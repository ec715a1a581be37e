import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import { now } from '../../kit/proxies';
import type {
  InvestmentSweepActivities,
  InvestmentSweepBatch,
  InvestmentSweepPosition,
  InvestmentSweepResult,
} from './investment-sweep.contract';

const batches = proxyActivities<InvestmentSweepActivities>({
  startToCloseTimeout: '2 minutes',
  scheduleToCloseTimeout: '10 minutes',
  retry: { initialInterval: '1 second', maximumInterval: '30 seconds', maximumAttempts: 5 },
});

/** Enough for ten thousand rows in one sweep; the rest waits for the next one. */
const MOST_ROUNDS = 50;

/** One sweep. It fails rather than parks when Temporal or the database is away: the next one comes in an hour. */
export async function investmentSweep(): Promise<InvestmentSweepResult> {
  const at = now();
  let started = 0;
  let after: InvestmentSweepPosition | null = null;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const batch: InvestmentSweepBatch = await batches.startForgottenInvestments({ at, after });
    started += batch.started;
    after = batch.after;
    if (after === null) break;
  }
  setCurrentDetails(
    started === 0 ? 'Nothing had been forgotten.' : `Started ${started} that had been forgotten.`,
  );
  return { started };
}
