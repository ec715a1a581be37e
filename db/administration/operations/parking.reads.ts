import type { Attributes } from 'sequelize';
import type { Db } from '../../sql/query';
import { table } from '../../sql/table';
import { ParkedProcess } from './parked-process.model';

export type ParkedProcessView = Attributes<ParkedProcess>;

/** One page of the processes that wait for a person, longest wait first; `total` counts all of them. */
export async function parkedProcesses(
  db: Db,
  page: { limit: number; offset: number },
): Promise<{ total: number; processes: ParkedProcessView[] }> {
  const parked = table(db, ParkedProcess);
  const total = await parked.count({});
  const order = [
    ['since', 'ASC'],
    ['workflowId', 'ASC'],
  ] as const;
  const processes = await parked.all(
    ['workflowId', 'type', 'entityId', 'since', 'reason', 'lastError'],
    {},
    { order, ...page },
  );
  return { total, processes };
}

/** Tells whether this process waits for a person. */
export async function isParked(db: Db, workflowId: string): Promise<boolean> {
  return (await table(db, ParkedProcess).count({ workflowId })) > 0;
}
