import {
  ScheduleAlreadyRunning,
  ScheduleOverlapPolicy,
  type Client,
  type ScheduleSpec,
} from '@temporalio/client';
import type { Duration } from '@temporalio/common';
import { invariantCheckProcess } from '../workflows/administration/invariant-check.contract';
import { retentionProcess } from '../workflows/administration/retention.contract';
import { cataloguePopularityProcess } from '../workflows/catalog/catalogue-popularity.contract';
import { webhookSweepProcess } from '../workflows/commerce/webhook-sweep.contract';
import { ledgerReconciliationProcess } from '../workflows/ledger/ledger-reconciliation.contract';
import type { ProcessDefinition } from '../workflows/process';

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

/** Creates or updates every schedule. What an operator paused stays paused; two workers doing this at once is fine. */
export async function reconcileSchedules(client: Client): Promise<void> {
  for (const { id: scheduleId, process, spec, overlap, catchupWindow } of schedules) {
    const action = {
      type: 'startWorkflow' as const,
      workflowType: process.type,
      workflowId: process.id({}),
      taskQueue: process.queue,
      args: [{}],
      staticSummary: process.summary({}),
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
}
