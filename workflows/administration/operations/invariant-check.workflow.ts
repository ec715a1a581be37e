import { proxyActivities, setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import { LONG_WORK } from '../../kit/proxies';
import type { InvariantCheckActivities, InvariantFindings } from './invariant-check.contract';

const { checkInvariants } = proxyActivities<InvariantCheckActivities>({
  ...LONG_WORK,
  summary: 'Check tables and processes against the invariants',
});

/**
 * Runs hourly. Besides taking terminated processes off the operators' list it repairs nothing: a broken invariant has a
 * cause that a person has to find.
 */
export async function invariantCheck(): Promise<InvariantFindings> {
  const found = await checkInvariants({ at: workflowInfo().startTime.toISOString() });
  setCurrentDetails(report(found));
  return found;
}

function report({ broken, invariants }: InvariantFindings): string {
  if (broken === 0) return 'All invariants hold.';
  return [
    `**${broken} rows or processes break an invariant**: ${invariants.join(', ')}.`,
    'GET /admin/operations lists them; `npm run invariants` checks again.',
  ].join('\n');
}
