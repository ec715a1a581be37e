import { firstRow, rows, type Db } from '../../sql/query';

export interface ParkedProcessView {
  workflowId: string;
  type: string;
  entityId: string;
  since: Date;
  reason: string;
  lastError: string;
}

/** Processes that wait for a person, longest first; `total` counts all of them. */
export async function parkedProcesses(
  db: Db,
  page: { limit: number; offset: number },
): Promise<{ total: number; processes: ParkedProcessView[] }> {
  const counted = await firstRow<{ total: number }>(
    db,
    `SELECT count(*)::int AS total FROM parked_processes`,
  );
  const processes = await rows<ParkedProcessView>(
    db,
    `SELECT workflow_id, type, entity_id, since, reason, last_error
     FROM parked_processes ORDER BY since, workflow_id LIMIT $1 OFFSET $2`,
    [page.limit, page.offset],
  );
  return { total: counted?.total ?? 0, processes };
}

/** Whether this process is on the list. */
export async function isParked(db: Db, workflowId: string): Promise<boolean> {
  const found = await rows(db, `SELECT 1 FROM parked_processes WHERE workflow_id = $1`, [workflowId]);
  return found.length > 0;
}
