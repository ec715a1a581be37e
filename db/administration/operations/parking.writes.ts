import type { Attributes } from 'sequelize';
import { execute, firstRow, type Db, type Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { ParkedProcess } from './parked-process.model';
import { subjectOf } from './waiting/parked-subject.reads';

/** A process that waits for a person. */
export type ParkedRow = Pick<
  Attributes<ParkedProcess>,
  'workflowId' | 'type' | 'entityId' | 'reason' | 'lastError'
> & {
  /** ISO 8601. */
  since: string;
  /** The order and the person that it is about, as far as the process knows them. */
  orderId?: string | undefined;
  userId?: string | undefined;
  /** Its summary; left out, that of its entry stays. */
  label?: string | undefined;
  /** The run that waits. */
  runId: string;
  /** True if it may continue a run that waited for the same. */
  isRenewed?: boolean;
};

/** SQL for the same step of the same run, or of one that this run continues (`$10`). */
const IS_SAME = `listed.reason = EXCLUDED.reason AND ($10 OR listed.run_id = EXCLUDED.run_id)`;

/**
 * Puts a process on the operators' list. A step that was tried again and failed again is PARKED again, with one attempt
 * more; an entry that an earlier step or run has left there is replaced, with its attempts and its note, unless it continues
 * that run: then it waits since the same moment. Does nothing when it is late: a decision has been made since.
 */
export async function park(db: Db, parked: ParkedRow): Promise<void> {
  const subject = await subjectOf(db, parked);
  await execute(
    db,
    `INSERT INTO parked_processes AS listed (workflow_id, type, entity_id, reason, last_error, since, order_id, run_id, user_id, label)
     VALUES ($1, $2, $3, $4, $5, $6, $7::uuid, $8, $9::uuid, $11)
     ON CONFLICT (workflow_id) DO UPDATE SET
       attempts = CASE WHEN NOT (${IS_SAME}) THEN 1
                       WHEN listed.state = 'RETRYING' THEN listed.attempts + 1 ELSE listed.attempts END,
       note_id = CASE WHEN ${IS_SAME} THEN listed.note_id END,
       state = 'PARKED', retried_at = NULL, reason = EXCLUDED.reason, last_error = EXCLUDED.last_error,
       since = CASE WHEN $10 AND ${IS_SAME} THEN listed.since ELSE EXCLUDED.since END, order_id = EXCLUDED.order_id, run_id = EXCLUDED.run_id,
       user_id = EXCLUDED.user_id, label = coalesce(EXCLUDED.label, listed.label)
     WHERE listed.retried_at IS NULL OR listed.retried_at <= EXCLUDED.since`,
    [
      parked.workflowId,
      parked.type,
      parked.entityId,
      parked.reason,
      parked.lastError,
      parked.since,
      subject.orderId,
      parked.runId,
      subject.userId,
      parked.isRenewed ?? false,
      parked.label ?? null,
    ],
  );
}

/** The entry that a decision was made about. */
export type DecidedEntry = Pick<Attributes<ParkedProcess>, 'orderId' | 'reason' | 'attempts'>;

/** Removes a process that was on the list at `at`; null when it was not. An entry that was made later stays. */
export const unpark = (db: Db, workflowId: string, at: Date): Promise<DecidedEntry | null> =>
  firstRow<DecidedEntry>(
    db,
    `DELETE FROM parked_processes WHERE workflow_id = $1 AND since <= $2 RETURNING order_id, reason, attempts`,
    [workflowId, at],
  );

/** Marks an entry as being tried again since `at`, by the decision of that note; null when none waited for one then. */
export const markRetrying = (
  tx: Tx,
  workflowId: string,
  { noteId, at }: { noteId: string | null; at: Date },
): Promise<DecidedEntry | null> =>
  firstRow<DecidedEntry>(
    tx,
    `UPDATE parked_processes SET state = 'RETRYING', retried_at = $3, note_id = $2
     WHERE workflow_id = $1 AND state = 'PARKED' AND since <= $3 RETURNING order_id, reason, attempts`,
    [workflowId, noteId, at],
  );

/**
 * Marks the entry of a run as being tried again since `at` by the run that continues it; its note stays. Late, when that run waits
 * itself, it does nothing.
 */
export async function markRenewed(
  db: Db,
  { workflowId, runId, at }: { workflowId: string; runId: string; at: Date },
): Promise<void> {
  await execute(
    db,
    `UPDATE parked_processes SET state = 'RETRYING', retried_at = $2
     WHERE workflow_id = $1 AND run_id = $3 AND state = 'PARKED' AND since <= $2`,
    [workflowId, at, runId],
  );
}

/**
 * Removes the entry of a process whose step was tried again and has ended by `at`; one that is parked again stays, and so does one
 * that waits for anything else than `reason`, if that is given.
 */
export async function endRetry(db: Db, workflowId: string, at: Date, reason?: string): Promise<void> {
  await execute(
    db,
    `DELETE FROM parked_processes
     WHERE workflow_id = $1 AND state = 'RETRYING' AND retried_at <= $2 AND reason = coalesce($3, reason)`,
    [workflowId, at, reason ?? null],
  );
}

/** Removes the entry of a run that has waited since exactly then; one that its next run made, or has taken over, stays. */
export async function unparkEnded(
  db: Db,
  { workflowId, runId, since }: Pick<Attributes<ParkedProcess>, 'workflowId' | 'runId' | 'since'>,
): Promise<boolean> {
  return (await table(db, ParkedProcess).remove({ workflowId, runId, since })) === 1;
}
