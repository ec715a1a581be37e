import { proxyActivities, setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import { LONG_WORK } from '../../kit/proxies';
import type { Forgotten, RetentionActivities } from './retention.contract';

const { forget } = proxyActivities<RetentionActivities>({
  ...LONG_WORK,
  summary: 'Delete what is over its time',
});

/** Runs daily. A day that was missed is made up by the next. */
export async function retention(): Promise<Forgotten> {
  const forgotten = await forget({ at: workflowInfo().startTime.toISOString() });
  const { idempotencyKeys, sessions, carts } = forgotten;
  setCurrentDetails(`Deleted ${idempotencyKeys} idempotency keys, ${sessions} sessions, ${carts} carts.`);
  return forgotten;
}
