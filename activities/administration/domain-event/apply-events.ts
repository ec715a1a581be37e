import { setTimeout as pause } from 'node:timers/promises';
import type { Consumer } from '../../../workflows/administration/domain-event/consumers.rules';
import type { ConsumingResult } from '../../../workflows/administration/domain-event/event-consumer.contract';
import { withHeartbeat } from '../../heartbeat';
import { applyEvent, type ConsumerDeps } from './apply-event';

export interface ConsumingDeps extends ConsumerDeps {
  /** Events that one consumer applies at the same time. */
  concurrency: number;
}

/** Interval of looking for new events; a commission stands within two seconds of its sale. */
const POLL_EVERY_MS = 300;
/** One of so many is of the newest, which so do not wait behind a backlog of years. */
const NEWEST_EVERY = 5;

/** Applies the events of a consumer, and those that come, until `forMs` have passed or the activity is cancelled. */
export function applyEvents(
  deps: ConsumingDeps,
  { consumer, forMs }: { consumer: Consumer; forMs: number },
): Promise<ConsumingResult> {
  const result: ConsumingResult = { applied: 0, failed: 0, parked: 0, dead: 0 };
  const apply = async (signal: AbortSignal): Promise<ConsumingResult> => {
    const failed = new AbortController();
    const end = AbortSignal.any([signal, AbortSignal.timeout(forMs), failed.signal]);
    const loops = Array.from({ length: deps.concurrency }, () =>
      applyUntil(end, () => applyDue(deps, consumer, result, end)),
    );
    try {
      await Promise.all(loops);
    } finally {
      failed.abort();
      await Promise.allSettled(loops);
    }
    return result;
  };
  return withHeartbeat(apply, () => result);
}

async function applyUntil(end: AbortSignal, apply: () => Promise<number>): Promise<void> {
  while (!end.aborted) {
    if ((await apply()) > 0) continue;
    await pause(POLL_EVERY_MS, undefined, { signal: end }).catch(() => undefined);
  }
}

/** Applies the events that are due, one after the other, until none is or `end` is aborted; returns the number of tries. */
export async function applyDue(
  deps: ConsumerDeps,
  consumer: Consumer,
  result: ConsumingResult,
  end?: AbortSignal,
): Promise<number> {
  for (let tries = 0; ; tries++) {
    if (end?.aborted) return tries;
    const outcome = await applyEvent(
      deps,
      consumer,
      tries % NEWEST_EVERY === NEWEST_EVERY - 1 ? 'last' : 'first',
    );
    if (outcome === null) return tries;
    result[outcome]++;
  }
}
