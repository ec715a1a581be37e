import type { WorkflowHandle } from '@temporalio/client';
import { firstRow, type Db } from '../../db/sql/query';
import { eventually } from '../support/checks/eventually';
import { keepHistory } from '../support/checks/histories';
import type { SkippingWorld } from '../support/worlds/skipping-world';
import { patient } from './commerce/sales';

/** The entry of a process on the operators' list. */
export type Entry = Record<'reason' | 'state' | 'attempts' | 'since' | 'userId' | 'label', unknown>;

/** The entry of a process; null when it is not on the list. */
export const entryOf = (db: Db, { workflowId }: Pick<WorkflowHandle, 'workflowId'>): Promise<Entry | null> =>
  firstRow(
    db,
    'SELECT reason, state, attempts, since, user_id, label FROM parked_processes WHERE workflow_id = $1',
    [workflowId],
  );

/**
 * Lets a month pass over a process that waits for a person, and requires that it has a new run then, and waits for the same as
 * before, since the same moment. Keeps the history of the run that has ended.
 */
export async function overAMonth(world: SkippingWorld, { workflowId }: WorkflowHandle): Promise<void> {
  const process = patient(world).workflow.getHandle(workflowId);
  const [entry, { runId }] = [await entryOf(world.db, process), await process.describe()];
  expect(entry).toMatchObject({ state: 'PARKED', userId: expect.any(String) as string });
  await world.sleep('31 days');
  await eventually(async () => {
    expect((await process.describe()).runId).not.toBe(runId);
    expect(await entryOf(world.db, process)).toEqual({ ...entry, attempts: Number(entry!.attempts) + 1 });
  });
  await keepHistory(process, 'parked-for-a-month', runId);
}
