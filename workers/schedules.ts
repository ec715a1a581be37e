import {
  ScheduleAlreadyRunning,
  ScheduleNotFoundError,
  ScheduleOverlapPolicy,
  type Client,
  type ScheduleDescription,
  type ScheduleSpec,
} from '@temporalio/client';
import type { Duration } from '@temporalio/common';
import { invariantCheckProcess } from '../workflows/administration/operations/invariant-check.contract';
import { retentionProcess } from '../workflows/administration/retention/retention.contract';
import { cataloguePopularityProcess } from '../workflows/catalog/popularity/catalogue-popularity.contract';
import { webhookSweepProcess } from '../workflows/commerce/webhook/webhook-sweep.contract';
import { ledgerReconciliationProcess } from '../workflows/ledger/ledger-reconciliation.contract';
import { startOptions, type ProcessDefinition } from '../workflows/kit/process';

/** One line of the table of what runs when. */
interface Scheduled {
  id: string;
  process: ProcessDefinition<Record<string, never>>;
  spec: ScheduleSpec;
  /** SKIP for what only looks again; BUFFER_ALL for what must not miss a period. */
  overlap: ScheduleOverlapPolicy;
  /** How far back missed runs are made up after an outage. */
  catchupWindow: Duration;
}

/** What runs when, all in UTC. This table is the truth: workers bring Temporal in line with it when they start. */
export const schedules: readonly Scheduled[] = [
  {
    id: 'webhook-sweep',
    process: webhookSweepProcess,
    spec: { intervals: [{ every: '1 minute' }] },
    overlap: ScheduleOverlapPolicy.SKIP,
    catchupWindow: '1 minute',
  },
  {
    id: 'invariant-check',
    process: invariantCheckProcess,
    spec: { intervals: [{ every: '1 hour', offset: '17 minutes' }] },
    overlap: ScheduleOverlapPolicy.SKIP,
    catchupWindow: '1 hour',
  },
  {
    id: 'catalogue-popularity',
    process: cataloguePopularityProcess,
    spec: { calendars: [{ hour: 0, minute: 30, comment: 'after the day has closed' }] },
    overlap: ScheduleOverlapPolicy.SKIP,
    catchupWindow: '1 day',
  },
  {
    id: 'ledger-reconciliation',
    process: ledgerReconciliationProcess,
    spec: { calendars: [{ hour: 3, minute: 0, comment: 'when little moves' }] },
    overlap: ScheduleOverlapPolicy.SKIP,
    catchupWindow: '1 day',
  },
  {
    id: 'retention',
    process: retentionProcess,
    spec: { calendars: [{ hour: 4, minute: 0, comment: 'when little moves' }] },
    overlap: ScheduleOverlapPolicy.SKIP,
    catchupWindow: '1 day',
  },
];

/**
 * The number of this table, one more with every change of it: a worker of an older table changes nothing, so that it
 * does not bring back what a newer one has moved or taken out.
 */
export const SCHEDULES_VERSION = 3;

/** Where a schedule says of which table it is: in the memo of what it starts, which, unlike its own, can be changed. */
const VERSION_MEMO = 'schedulesVersion';

interface Table {
  version: number;
  schedules: readonly Scheduled[];
}

const thisTable: Table = { version: SCHEDULES_VERSION, schedules };

/**
 * Creates or updates every schedule and deletes those that an older table had and this one has not. What an operator
 * paused stays paused; two workers doing this at once is fine. Where a newer table was seen, nothing is changed.
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

/** The table of every schedule that is there, by id: of one that says none, 0. */
async function versionsAt(client: Client, { schedules: listed }: Table): Promise<Map<string, number>> {
  // What was made a moment ago is not listed yet, so those of our own table are asked for by name.
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

async function ignoringMissing<Answer>(asked: Promise<Answer>): Promise<Answer | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ScheduleNotFoundError) return null;
    throw error;
  }
}

async function reconcile(
  client: Client,
  { id: scheduleId, process, spec, overlap, catchupWindow }: Scheduled,
  version: number,
): Promise<void> {
  const action = {
    ...startOptions(process, {}),
    type: 'startWorkflow' as const,
    workflowType: process.type,
    memo: { [VERSION_MEMO]: version },
  };
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
