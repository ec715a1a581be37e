import { setTimeout as pause } from 'node:timers/promises';
import {
  dueEvents,
  markParkedStarted,
  recordFailedTry,
} from '../../../db/partners/event/commission-event.transitions';
import type { Policy } from '../../../db/policy/config';
import { isDatabaseAway, sqlStateOf } from '../../../db/sql/errors';
import type { Db } from '../../../db/sql/query';
import type { TakingResult } from '../../../workflows/partners/commission/commission-engine.contract';
import {
  commissionEventProcess,
  EVENT_TRIES,
  EVENT_WAITS_MS,
} from '../../../workflows/partners/commission/commission-event.contract';
import type { StartProcess } from '../../commerce/webhook/webhook-sweep.activities';
import { withHeartbeat } from '../../heartbeat';
import { takeEvent } from './take-event';

export interface EngineDeps {
  db: Db;
  start: StartProcess;
  policy: Policy;
}

/** Interval of looking for new events; a commission stands within two seconds of its sale. */
const POLL_EVERY_MS = 300;
const BATCH = { oldest: 80, newest: 20 };

/** Takes the events of one engine, and those that come, until `forMs` have passed or the activity is cancelled. */
export function takeEvents(
  deps: EngineDeps,
  { engine, forMs }: { engine: number; forMs: number },
): Promise<TakingResult> {
  const result: TakingResult = { taken: 0, failed: 0, parked: 0, isRetired: false };
  const engines = deps.policy.commissionEngines;
  if (engine >= engines) return Promise.resolve({ ...result, isRetired: true });
  const take = async (signal: AbortSignal): Promise<TakingResult> => {
    const end = AbortSignal.any([signal, AbortSignal.timeout(forMs)]);
    while (!end.aborted) {
      const found = await takeBatch(deps, { engines, engine }, result, end);
      if (found === 0) await pause(POLL_EVERY_MS, undefined, { signal: end }).catch(() => undefined);
    }
    return result;
  };
  return withHeartbeat(take, () => result);
}

/** Tries the events that are due now, one after the other; answers the number that no other engine was taking. */
export async function takeBatch(
  deps: EngineDeps,
  of: { engines: number; engine: number },
  result: TakingResult,
  end?: AbortSignal,
): Promise<number> {
  let tried = 0;
  for (const id of await dueEvents(deps.db, of, BATCH)) {
    if (end?.aborted) break;
    const outcome = await tryEvent(deps, id);
    if (outcome === 'skipped') continue;
    result[outcome]++;
    tried++;
  }
  return tried;
}

/** Takes one event. A failure is recorded and holds up no other; only an unreachable database ends the stretch. */
async function tryEvent(deps: EngineDeps, id: string): Promise<'taken' | 'failed' | 'parked' | 'skipped'> {
  try {
    return (await takeEvent(deps.db, deps.policy, id)) ? 'taken' : 'skipped';
  } catch (error) {
    if (isDatabaseAway(error) && !isOfStatement(error)) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    const tries = { error: reason, waitsMs: EVENT_WAITS_MS, tries: EVENT_TRIES };
    if (!(await recordFailedTry(deps.db, id, tries))) return 'failed';
    await startParked(deps, id);
    return 'parked';
  }
}

/** True for a time-out of a statement or a lock, which one event alone may cause again and again. */
const isOfStatement = (error: unknown): boolean => ['57014', '55P03'].includes(sqlStateOf(error) ?? '');

/** Starts the process of a parked event. The sweep starts it if Temporal does not answer. */
export async function startParked(
  { db, start }: Pick<EngineDeps, 'db' | 'start'>,
  id: string,
): Promise<void> {
  try {
    await start(commissionEventProcess, { eventId: id });
  } catch {
    return;
  }
  await markParkedStarted(db, [id]);
}
