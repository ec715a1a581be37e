import type { WorkflowHandle } from '@temporalio/client';
import { firstRow, type Db } from '../../db/sql/query';
import { retryStep } from '../../workflows/kit/parking.contract';
import { eventually } from '../support/checks/eventually';
import { keepHistory } from '../support/checks/histories';
import type { SkippingWorld } from '../support/worlds/skipping-world';
import { detailsOf, parks } from './commerce/refund/refund-processes';
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

/**
 * Requires that a process that waits for a person, and reminds of it each day, renews its run between two reminders without one. Keeps
 * the history of the run that has ended. `words`: of the wait; `history`: its name.
 */
export async function remindsOnceAcrossRuns(
  world: SkippingWorld,
  { workflowId }: WorkflowHandle,
  { words, history }: { words: string; history: string },
): Promise<void> {
  const process = patient(world).workflow.getHandle(workflowId);
  const { runId } = await process.describe();
  const waits = async (): Promise<string> => {
    const details = await detailsOf(process);
    expect(details).toContain(words);
    return details;
  };
  await world.sleep('29 days');
  await parks(process);
  await world.sleep('12 hours');
  await process.executeUpdate(retryStep, { args: [{ noteId: null }] });
  await eventually(async () => expect(await waits()).not.toContain('too long'));
  // The reminder of the run that ends now would come in twelve hours.
  await world.sleep('13 hours');
  await eventually(async () => expect((await process.describe()).runId).not.toBe(runId));
  expect(await waits()).not.toContain('too long');
  expect(await entryOf(world.db, process)).toBeNull();
  await world.sleep('12 hours');
  await parks(process);
  expect(await waits()).toContain('too long');
  await keepHistory(process, history, runId);
}
