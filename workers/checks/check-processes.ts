import type { Client } from '@temporalio/client';
import { parkedAmong } from '../../db/administration/operations/parking.reads';
import { rowsAmong, rowWindows, withoutRow } from '../../db/invariants/driven/driven-row.reads';
import type { Broken, Offence } from '../../db/invariants/invariant';
import type { Db } from '../../db/sql/query';
import { overdueParticipations } from './check-maturities';
import { listedButEnded, parkedUnlisted } from './check-parked';
import { drivenRows, type Driven, type DrivenRow } from './driven';
import { describeProcess, isRunning, MOST_ROWS, runningAmong, runningPages } from './running-processes';

/** The invariants between Temporal and the database, by id. */
export const processInvariants = {
  'processes.drive-open-rows': 'Every open row has a running process.',
  'processes.end-with-their-rows': 'A process whose row is settled, or was never written, has ended.',
  'processes.mature-in-time':
    'A participation ends, by its process, within an hour of its maturity, unless a report of its payout waits.',
  'processes.parked-are-listed': 'The operators’ list has exactly the processes that wait for an operator.',
} as const;
type ProcessInvariant = keyof typeof processInvariants;

/** Longest time for which a row and its process may differ: each learns of the other with a delay. */
const GRACE_SECONDS = 60;
/** A checkout waits ten minutes for its opening update; only after that its order must exist. */
const ROWLESS_MS = 12 * 60_000;

/** The scope of a check and its grace periods. */
export interface ProcessCheck {
  /** Only rows that changed and processes that started from then on; null: all. */
  since?: Date | null;
  /** Entities to check in any case: those that the last check found broken. */
  recheck?: readonly string[];
  graceSeconds?: number;
  rowlessMs?: number;
  signal?: AbortSignal;
}

type Checking = Required<ProcessCheck> & { client: Client; db: Db };

/**
 * Compares the running processes with the rows that they drive, in windows. The server's lists lag behind, so each
 * suspected violation is verified with the process itself. Returns at most `MOST_ROWS` violations of each kind; changes
 * nothing.
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
    ...{ recheck: check.recheck ?? [], client, db },
  };
  const broken: Broken[] = [];
  const add = (invariant: ProcessInvariant, offences: Offence[]): void => {
    broken.push(...offences.map((offence) => ({ invariant, ...offence })));
  };
  for (const driven of drivenRows) {
    add('processes.drive-open-rows', await rowsWithoutProcess(checking, driven));
    add('processes.end-with-their-rows', await processesWithoutWork(checking, driven));
  }
  add('processes.mature-in-time', await overdueParticipations(db));
  add('processes.parked-are-listed', [
    ...(await listedButEnded(checking)),
    ...(await parkedUnlisted(checking)),
  ]);
  return broken;
}

/** The windows of rows in a state: first those that the last check found broken, then those that changed. */
async function* windowsOf(checking: Checking, driven: Driven, state: 'open' | 'settled') {
  const { db, graceSeconds, since } = checking;
  yield await rowsAmong(db, driven, { state, graceSeconds }, since ? checking.recheck : []);
  for await (const window of rowWindows(db, driven, { state, graceSeconds, since })) {
    checking.signal.throwIfAborted();
    yield window;
  }
}

/** Open rows without a running process. */
async function rowsWithoutProcess(checking: Checking, driven: Driven): Promise<Offence[]> {
  const { client, db, graceSeconds } = checking;
  const orphans = new Map<string, DrivenRow>();
  for await (const window of windowsOf(checking, driven, 'open')) {
    const seen = await runningAmong(
      client,
      window.flatMap(({ workflowIds }) => workflowIds),
    );
    for (const row of window.filter(({ workflowIds }) => !workflowIds.some((id) => seen.has(id)))) {
      if (orphans.size === MOST_ROWS) break;
      const states = await Promise.all(row.workflowIds.map((id) => isRunning(client, id)));
      if (!states.includes(true)) orphans.set(row.entity, row);
    }
    if (orphans.size === MOST_ROWS) break;
  }
  // A process writes its row before it ends, so a row that is still open now has no process.
  const waiting = await rowsAmong(db, driven, { state: 'open', graceSeconds }, [...orphans.keys()]);
  return waiting.map(({ entity, detail, workflowIds }) => ({
    entity,
    detail: `${detail}, but ${workflowIds[0]} does not run`,
  }));
}

/** Running processes that have nothing left to do, unless they wait for an operator. */
async function processesWithoutWork(checking: Checking, driven: Driven): Promise<Offence[]> {
  const { since } = checking;
  const found = new Map<string, Offence>();
  const add = (offences: Offence[]): void => {
    for (const offence of offences) if (found.size < MOST_ROWS) found.set(offence.entity, offence);
  };
  // A full check sees every process below; a partial one must also look at rows that were settled lately.
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
    const entities = (of: typeof page) => of.map(({ entityId }) => entityId);
    const { db, graceSeconds } = checking;
    const settled = await rowsAmong(db, driven, { state: 'settled', graceSeconds }, entities(page));
    const rowless = driven.drives.rowMayWait ? [] : await withoutRow(db, driven.drives, entities(old));
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

/** The rows whose process runs and does not wait for an operator. */
async function stillRunning(
  { client, db, rowlessMs }: Checking,
  { drives }: Driven,
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
    if (drives.rowIsFirst && process.startTime.getTime() >= Date.now() - rowlessMs) continue;
    offences.push({ entity, detail: `${workflowId} still runs: ${detail}` });
  }
  return offences;
}
