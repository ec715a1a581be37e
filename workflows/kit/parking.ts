import { isCancellation, log, proxySinks } from '@temporalio/workflow';
import { refusal, refusalIn } from '../errors';
import type { ParkingSinks } from './parking.contract';
import { now } from './proxies';
import { operatorWait, type Retry, type WaitEnd } from './waiting/operator-wait';
import { isContinued, type Renewal } from './waiting/renewal';

/** Runs steps that must not be lost: a step whose retries are used up waits for an operator instead of failing. */
export interface Parking {
  /**
   * Runs a step. A refusal is thrown to the caller. Any other failure parks the process until an operator sends
   * `retry`, or `abandon`, which is thrown as the refusal ABANDONED. `changed`: whether something has happened since
   * the try began that may let it succeed; the step is then tried again without an operator. `run` is told
   * whether an operator has sent `retry`. Only the main flow of a process
   * may call it, one step after another; updates may wait for its end.
   */
  step: <T>(doing: string, run: (isRetry: boolean) => Promise<T>, changed?: () => boolean) => Promise<T>;
  /**
   * Parks the process without a failed step, so that an operator helps with one of its updates. Ends with `retry`,
   * `abandon`, or when `settled` returns true; returns which.
   */
  ask: (reason: string, settled: () => boolean) => Promise<WaitEnd>;
  /** Runs a part of the process; returns ABANDONED if an operator abandoned one of its steps. */
  orAbandoned: <T>(run: () => Promise<T>) => Promise<T | 'ABANDONED'>;
  /** Says that the process does not wait for a person, so that an entry which its earlier run has left is removed. */
  goesOn: () => void;
}

/** Registers `retry` and `abandon`; call it before the first await of a process. */
export function parkingFor(entityId: string, renewal: Renewal): Parking {
  const retry: Retry = { isRunning: false, isInherited: isContinued() };
  const wait = operatorWait(entityId, retry, renewal);
  const park = (doing: string, error: unknown, changed: () => boolean): Promise<WaitEnd> => {
    const lastError = rootCauseMessage(error);
    log.warn('parked', { doing, lastError });
    return wait({ reason: reasonOf(doing), lastError, isStep: true }, changed);
  };
  const { parking: sinks } = proxySinks<ParkingSinks>();
  const endRetry = (doing: string): void => {
    if (retry.isRunning) sinks.retryEnded({ at: now() });
    // An earlier step of the same run may succeed before the one that has failed in the earlier run is tried again.
    else if (retry.isInherited) sinks.retryEnded({ at: now(), reason: reasonOf(doing) });
    retry.isRunning = false;
  };

  return {
    async step(doing, run, changed = () => false) {
      for (let isRetry = false; ;) {
        try {
          const result = await run(isRetry);
          endRetry(doing);
          return result;
        } catch (error) {
          if (isCancellation(error) || refusalIn(error)) {
            endRetry(doing);
            throw error;
          }
          retry.isRunning = false;
          const decision = await park(doing, error, changed);
          isRetry = decision === 'retry';
          if (decision === 'abandon') throw refusal('ABANDONED', `An operator gave up: ${doing}.`);
        }
      }
    },
    ask: (reason, settled) => wait({ reason, lastError: 'none', isStep: false }, settled),
    async orAbandoned(run) {
      try {
        return await run();
      } catch (error) {
        if (refusalIn(error)?.code !== 'ABANDONED') throw error;
        return 'ABANDONED';
      }
    },
    goesOn() {
      if (retry.isInherited) sinks.retryEnded({ at: now() });
      retry.isInherited = false;
    },
  };
}

const reasonOf = (doing: string): string => `Could not ${doing}.`;

/** The message of the innermost cause. */
function rootCauseMessage(error: unknown): string {
  let deepest = error;
  while (deepest instanceof Error && deepest.cause instanceof Error) deepest = deepest.cause;
  return deepest instanceof Error ? deepest.message.slice(0, 500) : 'unknown';
}
