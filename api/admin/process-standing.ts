import { WorkflowNotFoundError, type WorkflowExecutionDescription } from '@temporalio/client';
import { z } from 'zod';
import { parkedAmong } from '../../db/administration/operations/parking.reads';
import type { Db } from '../../db/sql/query';
import type { Processes } from '../http/temporal/temporal';
import { stretched } from '../../workflows/kit/limits/slowness';

/** An administrator sees a thing after this time, with or without its processes. */
export const DEADLINE_MS = 2_000;
/** A process says what it waits for only while a worker answers for it, so this wait is shorter. */
const WORDS_DEADLINE_MS = 1_000;

const ENDED = ['COMPLETED', 'FAILED', 'CANCELLED', 'TERMINATED', 'TIMED_OUT'] as const;

export const ProcessStanding = z
  .object({
    workflowId: z.string().describe('The id of the process.'),
    type: z.string().describe('The kind of process, such as `checkout`.'),
    status: z.enum(['RUNNING', 'RETRYING', 'PARKED', ...ENDED]).meta({
      description:
        'RETRYING: a step failed and is being tried again. PARKED: it waits for a person. See GET /admin/operations.',
    }),
    waitsFor: z
      .string()
      .nullable()
      .meta({ description: 'What it waits for, in its own words, if it says so.' }),
    since: z.iso.datetime().nullable().meta({ description: 'Since when it is parked.' }),
    startedAt: z.iso.datetime().describe('When the process began.'),
    closedAt: z.iso.datetime().nullable().describe('When the process ended; null while it runs.'),
  })
  .meta({ id: 'ProcessStanding', description: 'A process, and where it stands.' });
export type ProcessStanding = z.output<typeof ProcessStanding>;

/** A process that Temporal knows, the latest run under its id. */
export type DescribedProcess = WorkflowExecutionDescription;

/** The processes under these ids that Temporal still knows, in order; null if it does not answer in time. */
export async function describedAmong(
  processes: Processes,
  workflowIds: readonly string[],
): Promise<DescribedProcess[] | null> {
  const all = await Promise.all(workflowIds.map((id) => described(processes, id)));
  if (all.includes(null)) return null;
  return all.filter((process) => process !== null && process !== 'UNKNOWN');
}

/** The standing of processes: what they wait for, and whether they are parked. */
export async function standingOf(
  db: Db,
  processes: Processes,
  known: readonly DescribedProcess[],
): Promise<ProcessStanding[]> {
  const parked = await parkedAmong(
    db,
    known.map(({ workflowId }) => workflowId),
  );
  return Promise.all(
    known.map(async (process): Promise<ProcessStanding> => {
      const entry = process.status.name === 'RUNNING' ? parked.get(process.workflowId) : undefined;
      return {
        workflowId: process.workflowId,
        type: process.type,
        status: entry?.state ?? statusOf(process),
        waitsFor: (entry?.state === 'PARKED' ? entry.reason : null) ?? (await ownWords(processes, process)),
        since: entry?.since.toISOString() ?? null,
        startedAt: process.startTime.toISOString(),
        closedAt: process.closeTime?.toISOString() ?? null,
      };
    }),
  );
}

/** The latest run under an id; UNKNOWN when there never was one, or it ended long ago; null when Temporal is away. */
const described = (
  processes: Processes,
  workflowId: string,
): Promise<WorkflowExecutionDescription | 'UNKNOWN' | null> =>
  processes.read(stretched(DEADLINE_MS), async (workflows) => {
    try {
      return await workflows.getHandle(workflowId).describe();
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return 'UNKNOWN';
      throw error;
    }
  });

function statusOf({ status, raw }: WorkflowExecutionDescription): ProcessStanding['status'] {
  const ended = ENDED.find((name) => name === status.name);
  if (ended) return ended;
  const isTriedAgain = raw.pendingActivities?.some(({ attempt }) => (attempt ?? 1) > 1) ?? false;
  return isTriedAgain ? 'RETRYING' : 'RUNNING';
}

/** The words of a running process for what it waits for; null if it has none, or no worker answers for it in time. */
async function ownWords(
  processes: Processes,
  { workflowId, runId, status }: WorkflowExecutionDescription,
): Promise<string | null> {
  if (status.name !== 'RUNNING') return null;
  const said = await processes.read(stretched(WORDS_DEADLINE_MS), async (workflows) => {
    try {
      const handle = workflows.getHandle(workflowId, runId);
      return await handle.query<{ currentDetails?: string }>('__temporal_workflow_metadata');
    } catch {
      return null; // It may have ended since, or be one that its worker cannot answer for.
    }
  });
  return said?.currentDetails ?? null;
}
