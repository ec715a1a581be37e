import type { Client, WorkflowExecutionDescription } from '@temporalio/client';
import { parkedAmong } from '../../db/administration/operations/parking.reads';
import type { Offence } from '../../db/invariants/invariant';
import { rows, type Db } from '../../db/sql/query';
import { searchAttributes } from '../../workflows/kit/search-attributes';
import { describeProcess, MOST_ROWS } from './running-processes';

interface Parked {
  client: Client;
  db: Db;
  graceSeconds: number;
  signal: AbortSignal;
}

/** Longer than any try: a step may wait for a running update of its entity and then take all its own repetitions. */
const LONGEST_RETRY_MS = 3 * 3_600_000;

/** True if the process has ended since the try began, or the try cannot be running any more. */
export const isRetryOver = ({ status, closeTime }: WorkflowExecutionDescription, retriedAt: Date): boolean =>
  status.name === 'RUNNING'
    ? Date.now() - retriedAt.getTime() > LONGEST_RETRY_MS
    : closeTime !== undefined && retriedAt <= closeTime;

/** Entries of the operators' list whose process has ended, but for those that the hourly check removes. */
export async function listedButEnded({ client, db, graceSeconds }: Parked): Promise<Offence[]> {
  const listed = await rows<{ workflowId: string; retriedAt: Date | null }>(
    db,
    `SELECT workflow_id, retried_at FROM parked_processes
     WHERE since < now() - make_interval(secs => $1) ORDER BY since LIMIT ${MOST_ROWS}`,
    [graceSeconds],
  );
  const offences: Offence[] = [];
  for (const { workflowId, retriedAt } of listed) {
    const known = await describeProcess(client, workflowId);
    if (known?.status.name === 'RUNNING') continue;
    if (known && retriedAt !== null && isRetryOver(known, retriedAt)) continue;
    if ((await parkedAmong(db, [workflowId])).size > 0)
      offences.push({ entity: workflowId, detail: 'is on the operators’ list and does not run' });
  }
  return offences;
}

/** Processes that wait for an operator and are not on the operators' list. */
export async function parkedUnlisted({ client, db, signal }: Parked): Promise<Offence[]> {
  const query = `ExecutionStatus = 'Running' AND NeedsAttention = true`;
  const isListed = async (workflowId: string): Promise<boolean> =>
    (await parkedAmong(db, [workflowId])).size > 0;
  const offences: Offence[] = [];
  for await (const { workflowId } of client.workflow.list({ query })) {
    signal.throwIfAborted();
    if (offences.length === MOST_ROWS) break;
    if (await isListed(workflowId)) continue;
    const now = await describeProcess(client, workflowId);
    // A process with a pending task may be leaving the list.
    const waits = now?.typedSearchAttributes.get(searchAttributes.needsAttention) === true;
    if (waits && !now.raw.pendingWorkflowTask && !(await isListed(workflowId)))
      offences.push({ entity: workflowId, detail: 'waits for a person and is not on the operators’ list' });
  }
  return offences;
}
