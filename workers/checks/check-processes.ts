import type { Client } from '@temporalio/client';
import { validate } from 'uuid';
import type { Broken, Offence } from '../../db/invariants/invariant';
import type { Db } from '../../db/sql/query';
import { listedInVain, parkedUnlisted } from './check-parked';
import { drivenRows, type Driven, type DrivenRow } from './driven-rows';
import { MOST_ROWS, parkedAmong, rowsAmong, rowWindows, withoutRow } from './row-windows';
import { describeProcess, isRunning, runningAmong, runningPages } from './running-processes';

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

/** What a check looks at, and how patient it is. */
export interface ProcessCheck {
  /** Rows that changed, and processes that started, from then on; null: all. */
  since?: Date | null;
  /** Entities to look at whenever they changed: what the last check found broken. */
  recheck?: readonly string[];
  graceSeconds?: number;
  rowlessMs?: number;
  signal?: AbortSignal;
}

type Checking = Required<ProcessCheck> & { client: Client; db: Db };

/**
 * Holds what Temporal runs against the rows that it should run for, a window of each at a time. The server's lists come
 * a moment late, so whatever they make doubtful is asked of the process itself before it counts. Answers at most fifty a
 * kind; changes nothing.
 */
export async function checkProcesses(client: Client, db: Db, check: ProcessCheck = {}): Promise<Broken[]> {
  const checking: Checking = {
    ...{
      since: null,
      graceSeconds: GRACE_SECONDS,
      rowlessMs: ROWLESS_MS,
      signal: new AbortController().signal,
    },
    ...check,
    ...{ recheck: (check.recheck ?? []).filter((entity) => validate(entity)), client, db },
  };
  const broken: Broken[] = [];
  const add = (invariant: ProcessInvariant, offences: Offence[]): void => {
    broken.push(...offences.map((offence) => ({ invariant, ...offence })));
  };
  for (const driven of drivenRows) {
    add('processes.drive-open-rows', await undriven(checking, driven));
    add('processes.end-with-their-rows', await lingering(checking, driven));
  }
  add('processes.parked-are-listed', [
    ...(await listedInVain(checking)),
    ...(await parkedUnlisted(checking)),
  ]);
  return broken;
}

/** The windows of rows in a state: first what the last check found broken, then what changed. */
async function* windowsOf(checking: Checking, driven: Driven, state: 'open' | 'settled') {
  const { db, graceSeconds, since } = checking;
  yield await rowsAmong(db, driven, { state, graceSeconds }, since ? checking.recheck : []);
  for await (const window of rowWindows(db, driven, { state, graceSeconds, since })) {
    checking.signal.throwIfAborted();
    yield window;
  }
}

/** Rows that wait, and no process of theirs runs. */
async function undriven(checking: Checking, driven: Driven): Promise<Offence[]> {
  const { client, db, graceSeconds } = checking;
  const alone = new Map<string, DrivenRow>();
  for await (const window of windowsOf(checking, driven, 'open')) {
    const seen = await runningAmong(
      client,
      window.flatMap(({ workflowIds }) => workflowIds),
    );
    for (const row of window.filter(({ workflowIds }) => !workflowIds.some((id) => seen.has(id)))) {
      if (alone.size === MOST_ROWS) break;
      const states = await Promise.all(row.workflowIds.map((id) => isRunning(client, id)));
      if (!states.includes(true)) alone.set(row.entity, row);
    }
    if (alone.size === MOST_ROWS) break;
  }
  // A process writes its row before it ends, so a row that still waits now was left alone.
  const waiting = await rowsAmong(db, driven, { state: 'open', graceSeconds }, [...alone.keys()]);
  return waiting.map(({ entity, detail, workflowIds }) => ({
    entity,
    detail: `${detail}, but ${workflowIds[0]} does not run`,
  }));
}

/** Processes that run on although there is nothing left to do. One that waits for a person may. */
async function lingering(checking: Checking, driven: Driven): Promise<Offence[]> {
  const { since } = checking;
  const found = new Map<string, Offence>();
  const add = (offences: Offence[]): void => {
    for (const offence of offences) if (found.size < MOST_ROWS) found.set(offence.entity, offence);
  };
  // Where all processes are looked at, their rows are; else rows that were settled lately are looked at too.
  if (since)
    for await (const window of windowsOf(checking, driven, 'settled')) {
      const ids = await runningAmong(
        checking.client,
        window.map(({ workflowIds }) => workflowIds[0]),
      );
      add(
        await stillRunning(
          checking,
          driven,
          window.filter(({ workflowIds }) => ids.has(workflowIds[0])),
        ),
      );
    }
  for await (const page of runningPages(checking.client, driven.type, checking)) {
    checking.signal.throwIfAborted();
    if (found.size >= MOST_ROWS) break;
    const old = page.filter(({ startTime }) => startTime.getTime() < Date.now() - checking.rowlessMs);
    const processOf = new Map(page.map(({ entityId, workflowId }) => [entityId, workflowId]));
    const entities = (of: typeof page) => of.map(({ entityId }) => entityId).filter((id) => validate(id));
    const { db, graceSeconds } = checking;
    const settled = await rowsAmong(db, driven, { state: 'settled', graceSeconds }, entities(page));
    const rowless = await withoutRow(db, driven.table, entities(old));
    add(
      await stillRunning(checking, driven, [
        ...settled,
        ...rowless.map((entity) => ({
          entity,
          detail: 'there is no row of it',
          workflowIds: [processOf.get(entity) ?? ''] as const,
        })),
      ]),
    );
  }
  return [...found.values()];
}

/** Those of the rows whose process runs and does not wait for a person. */
async function stillRunning(
  { client, db, rowlessMs }: Checking,
  { rowIsFirst }: Driven,
  suspects: readonly DrivenRow[],
): Promise<Offence[]> {
  const parked = await parkedAmong(
    db,
    suspects.map(({ workflowIds }) => workflowIds[0]),
  );
  const offences: Offence[] = [];
  for (const { entity, detail, workflowIds } of suspects) {
    const [workflowId] = workflowIds;
    if (offences.length === MOST_ROWS) break;
    if (parked.has(workflowId)) continue;
    const process = await describeProcess(client, workflowId);
    if (process?.status.name !== 'RUNNING') continue;
    if (rowIsFirst && process.startTime.getTime() >= Date.now() - rowlessMs) continue;
    offences.push({ entity, detail: `${workflowId} still runs: ${detail}` });
  }
  return offences;
}
