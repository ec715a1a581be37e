import { proxyActivities, setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import { LONG_WORK } from '../../kit/proxies';
import type { InvariantCheckActivities, InvariantFindings } from './invariant-check.contract';

const { checkInvariants } = proxyActivities<InvariantCheckActivities>({
  ...LONG_WORK,
  summary: 'Hold tables and processes against the invariants',
});

/** Runs hourly. It mends nothing: what is broken has a cause, and a person has to find it. */
export async function invariantCheck(): Promise<InvariantFindings> {
  const found = await checkInvariants({ at: workflowInfo().startTime.toISOString() });
  setCurrentDetails(report(found));
  return found;
}

function report({ broken, invariants }: InvariantFindings): string {
  if (broken === 0) return 'Everything holds.';
  return [
    `**${broken} things are not as they must be**, against: ${invariants.join(', ')}.`,
    'GET /admin/operations lists them; `npm run invariants` checks again.',
  ].join('\n');
}
