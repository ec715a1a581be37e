import { WorkflowNotFoundError, type Client, type WorkflowExecutionDescription } from '@temporalio/client';
import { validate } from 'uuid';
import type { Broken, Offence } from '../db/invariants/invariant';
import { rows, type Db } from '../db/sql';
import { searchAttributes } from '../workflows/search-attributes';
import { drivenRows, type Driven, type OpenRow } from './driven-rows';

/** What must hold between Temporal and the database, by id. */
export const processInvariants = {
  'processes.drive-open-rows': 'What waits in the database has a process that runs.',
  'processes.end-with-their-rows':
    'A process whose row is settled, or was never written, has come to its end.',
  'processes.parked-are-listed':
    'The operators’ list holds the processes that wait for a person, and no others.',
} as const;
type ProcessInvariant = keyof typeof processInvariants;

/** How long a row and its process may disagree: each hears of the other a moment later. */
const GRACE_SECONDS = 60;
/** A checkout waits ten minutes for the wish that it was started with; only then its order must be there. */
const ROWLESS_MS = 12 * 60_000;
/** So many tell what is wrong; and each is asked for by itself. */
const MOST_ROWS = 50;

interface Running {
  workflowId: string;
  entityId: string;
  startTime: Date;
}

/**
 * Holds what Temporal runs against the rows that it should run for. The server's lists come a moment late, so whatever
 * they make doubtful is asked of the process itself before it counts. Answers at most fifty a kind; changes nothing.
 */
export async function checkProcesses(
  client: Client,
  db: Db,
  { graceSeconds = GRACE_SECONDS, rowlessMs = ROWLESS_MS } = {},
): Promise<Broken[]> {
  const broken: Broken[] = [];
  const add = (invariant: ProcessInvariant, offences: Offence[]): void => {
    broken.push(...offences.map((offence) => ({ invariant, ...offence })));
  };
  for (const driven of drivenRows) {
    const running = await runningOf(client, driven.type);
    add('processes.drive-open-rows', await undriven(client, db, driven, running, graceSeconds));
    add(
      'processes.end-with-their-rows',
      await lingering(client, db, driven, running, { graceSeconds, rowlessMs }),
    );
  }
  add('processes.parked-are-listed', [
    ...(await listedInVain(client, db, graceSeconds)),
    ...(await parkedUnlisted(client, db)),
  ]);
  return broken;
}

async function runningOf(client: Client, type: string): Promise<Running[]> {
  const running: Running[] = [];
  const query = `ExecutionStatus = 'Running' AND WorkflowType = '${type}'`;
  for await (const { workflowId, startTime, typedSearchAttributes } of client.workflow.list({ query }))
    running.push({
      workflowId,
      startTime,
      entityId: typedSearchAttributes.get(searchAttributes.entityId) ?? '',
    });
  return running;
}

/** Rows that wait, and no process of theirs runs. */
async function undriven(
  client: Client,
  db: Db,
  { open }: Driven,
  running: Running[],
  graceSeconds: number,
): Promise<Offence[]> {
  const read = async (): Promise<OpenRow[]> =>
    (await rows<Record<string, string>>(db, open.sql, [graceSeconds])).map(open.toRow);
  const seen = new Set(running.map(({ workflowId }) => workflowId));
  const doubtful = (await read()).filter(({ workflowIds }) => !workflowIds.some((id) => seen.has(id)));
  const alone: OpenRow[] = [];
  for (const row of doubtful) {
    if (alone.length === MOST_ROWS) break;
    const states = await Promise.all(row.workflowIds.map((id) => runs(client, id)));
    if (!states.includes(true)) alone.push(row);
  }
  if (alone.length === 0) return [];
  // A process writes its row before it ends, so a row that still waits now was left alone.
  const waiting = new Set((await read()).map(({ entity }) => entity));
  return alone
    .filter(({ entity }) => waiting.has(entity))
    .map(({ entity, detail, workflowIds }) => ({
      entity,
      detail: `${detail}, but ${workflowIds[0]} does not run`,
    }));
}

/** Processes that run on although there is nothing left to do. One that waits for a person may. */
async function lingering(
  client: Client,
  db: Db,
  { settled, table, rowIsFirst }: Driven,
  running: Running[],
  { graceSeconds, rowlessMs }: { graceSeconds: number; rowlessMs: number },
): Promise<Offence[]> {
  const parked = await parkedIds(db);
  const free = running.filter(({ workflowId, entityId }) => !parked.has(workflowId) && validate(entityId));
  const old = free.filter(({ startTime }) => startTime.getTime() < Date.now() - rowlessMs);
  const suspects = [
    ...(await rows<Offence>(db, settled, [
      graceSeconds,
      (rowIsFirst ? old : free).map(({ entityId }) => entityId),
    ])),
    ...(await rows<Offence>(
      db,
      `SELECT e.id AS entity, 'there is no row of it' AS detail FROM unnest($1::uuid[]) AS e (id)
       WHERE NOT EXISTS (SELECT 1 FROM ${table} t WHERE t.id = e.id)`,
      [old.map(({ entityId }) => entityId)],
    )),
  ];
  const workflowOf = new Map(free.map(({ entityId, workflowId }) => [entityId, workflowId]));
  const offences: Offence[] = [];
  for (const { entity, detail } of suspects) {
    const workflowId = workflowOf.get(entity) ?? '';
    if (offences.length === MOST_ROWS) break;
    if (await runs(client, workflowId))
      offences.push({ entity, detail: `${workflowId} still runs: ${detail}` });
  }
  return offences;
}

/** Entries of the operators' list whose process is over. */
async function listedInVain(client: Client, db: Db, graceSeconds: number): Promise<Offence[]> {
  const listed = await rows<{ workflowId: string }>(
    db,
    `SELECT workflow_id AS "workflowId" FROM parked_processes
     WHERE since < now() - make_interval(secs => $1) ORDER BY since LIMIT ${MOST_ROWS}`,
    [graceSeconds],
  );
  const offences: Offence[] = [];
  for (const { workflowId } of listed)
    if (!(await runs(client, workflowId)) && (await parkedIds(db)).has(workflowId))
      offences.push({ entity: workflowId, detail: 'is on the operators’ list and does not run' });
  return offences;
}

/** Processes that wait for a person whom nobody told. */
async function parkedUnlisted(client: Client, db: Db): Promise<Offence[]> {
  const query = `ExecutionStatus = 'Running' AND NeedsAttention = true`;
  const offences: Offence[] = [];
  for await (const { workflowId } of client.workflow.list({ query })) {
    if (offences.length === MOST_ROWS) break;
    if ((await parkedIds(db)).has(workflowId)) continue;
    const now = await describe(client, workflowId);
    // In the middle of a task it may be leaving the list at this moment.
    const waits = now?.typedSearchAttributes.get(searchAttributes.needsAttention) === true;
    if (waits && !now.raw.pendingWorkflowTask && !(await parkedIds(db)).has(workflowId))
      offences.push({ entity: workflowId, detail: 'waits for a person and is not on the operators’ list' });
  }
  return offences;
}

async function parkedIds(db: Db): Promise<Set<string>> {
  const found = await rows<{ id: string }>(db, 'SELECT workflow_id AS id FROM parked_processes');
  return new Set(found.map(({ id }) => id));
}

const runs = async (client: Client, workflowId: string): Promise<boolean> =>
  (await describe(client, workflowId))?.status.name === 'RUNNING';

/** The process as its server has it, not as its lists show it; null when there is none. */
async function describe(client: Client, workflowId: string): Promise<WorkflowExecutionDescription | null> {
  try {
    return await client.workflow.getHandle(workflowId).describe();
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return null;
    throw error;
  }
}
