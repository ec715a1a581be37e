import { execute, type Db } from '../../sql/query';

/** A process that waits for a person. */
export interface ParkedRow {
  workflowId: string;
  type: string;
  entityId: string;
  reason: string;
  lastError: string;
  /** ISO 8601. */
  since: string;
}

/** Puts a process on the operators' list; one that is on it keeps its place and shows the newest error. */
export async function park(db: Db, parked: ParkedRow): Promise<void> {
  await execute(
    db,
    `INSERT INTO parked_processes (workflow_id, type, entity_id, reason, last_error, since)
     VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (workflow_id) DO UPDATE SET reason = EXCLUDED.reason, last_error = EXCLUDED.last_error`,
    [parked.workflowId, parked.type, parked.entityId, parked.reason, parked.lastError, parked.since],
  );
}

/** Takes a process off the list; false when it was not on it. */
export async function unpark(db: Db, workflowId: string): Promise<boolean> {
  return (await execute(db, `DELETE FROM parked_processes WHERE workflow_id = $1`, [workflowId])) === 1;
}
