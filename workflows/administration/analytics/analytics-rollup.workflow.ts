import { continueAsNew, proxyActivities, setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import type {
  AnalyticsRollupActivities,
  AnalyticsRollupInput,
  AnalyticsRollupResult,
} from './analytics-rollup.contract';

const { rollUpFacts } = proxyActivities<AnalyticsRollupActivities>({
  startToCloseTimeout: '15 minutes',
  scheduleToCloseTimeout: '1 hour',
  heartbeatTimeout: '15 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '1 minute', maximumAttempts: 20 },
});

/** Steps of one history. */
const ROUNDS = 100;

/** One run. It fails instead of parking when the database is unavailable: the next minute's run does the rest. */
export async function analyticsRollup({ facts = 0 }: AnalyticsRollupInput): Promise<AnalyticsRollupResult> {
  let moved = facts;
  for (let round = 0; round < ROUNDS && !workflowInfo().continueAsNewSuggested; round++) {
    const turn = await rollUpFacts();
    moved += turn.facts;
    setCurrentDetails(`Facts added to the rollups: ${moved}`);
    if (turn.isDone) return { facts: moved };
  }
  return continueAsNew<typeof analyticsRollup>({ facts: moved });
}
