import {
  ScheduleAlreadyRunning,
  ScheduleNotFoundError,
  type Client,
  type ScheduleDescription,
} from '@temporalio/client';
import { schedules, type Scheduled } from './schedule-table';

/**
 * The version of the table; increase it with every change. A worker with an older version changes nothing, so that it
 * does not restore what a newer release has changed or removed.
 */
export const SCHEDULES_VERSION = 23;

/**
 * The memo key of the table's version. It is in the memo of the started process, because a schedule's own is immutable.
 */
const VERSION_MEMO = 'schedulesVersion';

interface Table {
  version: number;
  schedules: readonly Scheduled[];
}

const thisTable: Table = { version: SCHEDULES_VERSION, schedules };

/**
 * Creates or updates every schedule, and deletes those of an older table that this one does not have. Schedules that an
 * operator paused stay paused. Safe to run concurrently. Changes nothing and answers `newer` if it finds a newer table.
 */
export async function reconcileSchedules(client: Client, table = thisTable): Promise<'newer' | 'done'> {
  const found = await versionsAt(client, table);
  if ([...found.values()].some((version) => version > table.version)) return 'newer';
  for (const scheduled of table.schedules) await reconcile(client, scheduled, table.version);
  const ids = new Set(table.schedules.map(({ id }) => id));
  for (const [id, version] of found)
    if (!ids.has(id) && version > 0) await ignoringMissing(client.schedule.getHandle(id).delete());
  return 'done';
}

/** The table version of every existing schedule, by id; 0 if it has none. */
async function versionsAt(client: Client, { schedules: listed }: Table): Promise<Map<string, number>> {
  // A list may not have the newest schedules yet, so those of this table are read by id.
  const ids = new Set(listed.map(({ id }) => id));
  for await (const { scheduleId } of client.schedule.list()) ids.add(scheduleId);
  const versions = new Map<string, number>();
  for (const id of ids) {
    const description = await ignoringMissing(client.schedule.getHandle(id).describe());
    if (description) versions.set(id, versionOf(description));
  }
  return versions;
}

function versionOf({ action }: ScheduleDescription): number {
  const version = action.memo?.[VERSION_MEMO];
  return typeof version === 'number' ? version : 0;
}

/** The answer of a call about a schedule; null if the schedule does not exist. */
async function ignoringMissing<Answer>(call: Promise<Answer>): Promise<Answer | null> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof ScheduleNotFoundError) return null;
    throw error;
  }
}

async function reconcile(
  client: Client,
  { id: scheduleId, spec, overlap, catchupWindow, ...scheduled }: Scheduled,
  version: number,
): Promise<void> {
  const action = { ...scheduled.action, memo: { [VERSION_MEMO]: version } };
  const policies = { overlap, catchupWindow };
  try {
    await client.schedule.create({ scheduleId, spec, action, policies });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    await client.schedule.getHandle(scheduleId).update((current) => ({
      spec,
      action,
      policies,
      state: { paused: current.state.paused, ...(current.state.note && { note: current.state.note }) },
    }));
  }
}
