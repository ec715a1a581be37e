import type { Attributes } from 'sequelize';
import { execute, type Db } from '../../sql/query';
import { table } from '../../sql/table';
import { ParkedProcess } from './parked-process.model';

/** A process that waits for a person. */
export type ParkedRow = Omit<Attributes<ParkedProcess>, 'since'> & {
  /** ISO 8601. */
  since: string;
};

/** Puts a process on the operators' list; replaces an entry that an earlier run under its id has left there. */
export async function park(db: Db, parked: ParkedRow): Promise<void> {
  await execute(
    db,
    `INSERT INTO parked_processes (workflow_id, type, entity_id, reason, last_error, since)
     VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (workflow_id) DO UPDATE SET reason = EXCLUDED.reason,
       last_error = EXCLUDED.last_error, since = EXCLUDED.since`,
    [parked.workflowId, parked.type, parked.entityId, parked.reason, parked.lastError, parked.since],
  );
}

/** Removes a process from the list; false when it was not on it. */
export async function unpark(db: Db, workflowId: string): Promise<boolean> {
  return (await table(db, ParkedProcess).remove({ workflowId })) === 1;
}

/** Removes the entry of a process that has waited since exactly then; one that its next run made stays. */
export async function unparkEnded(db: Db, workflowId: string, since: Date): Promise<boolean> {
  return (await table(db, ParkedProcess).remove({ workflowId, since })) === 1;
}
