import { proxyActivities, setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import { LONG_WORK } from '../../kit/proxies';
import type { Forgotten, RetentionActivities } from './retention.contract';

const { forget } = proxyActivities<RetentionActivities>({
  ...LONG_WORK,
  summary: 'Delete expired data',
});

/** Runs daily; a missed run is made up for by the next. */
export async function retention(): Promise<Forgotten> {
  const forgotten = await forget({ at: workflowInfo().startTime.toISOString() });
  const { idempotencyKeys, sessions, carts } = forgotten;
  setCurrentDetails(`Deleted ${idempotencyKeys} idempotency keys, ${sessions} sessions, ${carts} carts.`);
  return forgotten;
}
