import type { Client, WorkflowExecutionDescription } from '@temporalio/client';
import type { Logger } from 'pino';
import { endRetry, unparkEnded } from '../../db/administration/operations/parking.writes';
import type { Broken } from '../../db/invariants/invariant';
import { rows, type Db } from '../../db/sql/query';
import { searchAttributes } from '../../workflows/kit/search-attributes';
import { isRetryOver } from './check-parked';
import { checkProcesses, type ProcessCheck } from './check-processes';
import { describeProcess } from './running-processes';

const WINDOW = 500;

/** Ends by an operator's hand. A process that ended by itself should have left the list, so it is reported. */
const BY_HAND: readonly string[] = ['TERMINATED', 'CANCELLED'];

interface Entry {
  workflowId: string;
  /** The run that waits, or that a run continues which tries again. */
  runId: string;
  since: Date;
  reason: string;
  /** The time when a try began that was not seen to end; null: it waits for a person. */
  retriedAt: Date | null;
}

/**
 * The hourly check. First takes processes that were terminated off the operators' list, with a line in the log: they ran
 * no code that could do so, and no decision reaches them. So it does with those that were tried again and have gone on,
 * when that could not be recorded.
 */
export async function checkHourly(
  { client, db, log }: { client: Client; db: Db; log: Pick<Logger, 'warn'> },
  check: ProcessCheck = {},
): Promise<Broken[]> {
  for await (const entry of listedEntries(db)) {
    const { workflowId, since, reason, retriedAt } = entry;
    check.signal?.throwIfAborted();
    // A process that the server does not know may have ended long ago, or be another namespace's: a person decides.
    const known = await describeProcess(client, workflowId);
    if (!known) continue;
    if (retriedAt !== null && isRetryOver(known, retriedAt)) await endRetry(db, workflowId, retriedAt);
    else if (isOfEndedRun(known, entry) && (await unparkEnded(db, entry)))
      log.warn({ workflowId, since, reason }, 'a parked process was ended by hand; it leaves the list');
  }
  return checkProcesses(client, db, check);
}

/** True if no run that goes on made the entry. Both times are of the server's clock. */
function isOfEndedRun(
  { status, startTime, closeTime, runId, typedSearchAttributes }: WorkflowExecutionDescription,
  entry: Entry,
): boolean {
  const { since, retriedAt } = entry;
  if (status.name !== 'RUNNING')
    return BY_HAND.includes(status.name) && closeTime !== undefined && since <= closeTime;
  // A run that continues one which waited tries again, and keeps its entry until that has ended.
  if (retriedAt !== null || entry.runId === runId) return false;
  // A run that was reset began after its entry, and still waits.
  return since < startTime && typedSearchAttributes.get(searchAttributes.needsAttention) !== true;
}

/** The entries of the operators' list, by id. */
async function* listedEntries(db: Db): AsyncGenerator<Entry> {
  let after = '';
  for (;;) {
    const found = await rows<Entry>(
      db,
      `SELECT workflow_id, run_id, since, reason, retried_at FROM parked_processes
       WHERE workflow_id > $1 ORDER BY workflow_id LIMIT ${WINDOW}`,
      [after],
    );
    yield* found;
    const last = found.at(-1);
    if (!last || found.length < WINDOW) return;
    after = last.workflowId;
  }
}
