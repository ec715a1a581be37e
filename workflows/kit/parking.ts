import {
  CancellationScope,
  condition,
  isCancellation,
  log,
  proxySinks,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import { refusal, refusalIn } from '../errors';
import { abandonStep, retryStep } from './parking.contract';
import type { OperatorDecision, ParkingActivities, ParkingDecision, ParkingSinks } from './parking.contract';
import { searchAttributes } from './search-attributes';
import { durableTransactionsForever, now, localTransactionsForever } from './proxies';

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
   * `abandon`, or when `settled` answers true; answers which.
   */
  ask: (reason: string, settled: () => boolean) => Promise<ParkingDecision['decision']>;
  /** Runs a part of the process; answers ABANDONED if an operator abandoned one of its steps. */
  orAbandoned: <T>(run: () => Promise<T>) => Promise<T | 'ABANDONED'>;
}

/** The reason of a wait for a person. */
interface Cause {
  reason: string;
  lastError: string;
  /** True if a step has failed, which `retry` tries again. */
  isStep: boolean;
}

/** Puts the process on the operators' list until one of them decides, or until `settled`; answers which. */
type WaitForOperator = (cause: Cause, settled: () => boolean) => Promise<ParkingDecision['decision']>;

type Decided = Pick<ParkingDecision, 'decision' | 'noteId'>;

/** Shown in Temporal's UI, which sends updates; the API lists what can be done in words of its own. */
const OPTIONS = 'Send the update «retry» when the cause is gone, or «abandon» to give up.';

/**
 * Waits until the answers that are ready are given, so that the order of events is the same with tracing, which delays them.
 * It does not wait for the other updates, since one may wait for the parked step: conditions are looked at once more only
 * after everything that can go on has gone on.
 */
function readyAnswersGiven(): Promise<void> {
  let looks = 0;
  return condition(() => looks++ > 0);
}

/** Registers `retry` and `abandon`, which are refused unless the process waits for an operator. */
function operatorWait(entityId: string, retry: { isRunning: boolean }): WaitForOperator {
  const local = localTransactionsForever<ParkingActivities>();
  const durable = durableTransactionsForever<ParkingActivities>();
  let parked = false;
  let decided: Decided | null = null;

  const decide =
    (decision: 'retry' | 'abandon') =>
    ({ noteId }: OperatorDecision): null => {
      decided = { decision, noteId };
      return null;
    };
  const onlyWhenParked = {
    validator: (_decision: OperatorDecision): void => {
      if (retry.isRunning || decided?.decision === 'retry') throw refusal('NOT_PARKED');
      if (!parked || decided !== null)
        throw refusal('NOT_PARKED', 'This operation does not wait for a decision.');
    },
  };
  setHandler(retryStep, decide('retry'), { ...onlyWhenParked, description: 'Try the failed step again.' });
  setHandler(abandonStep, decide('abandon'), { ...onlyWhenParked, description: 'Abandon the failed step.' });

  const endWait = (): Decided => {
    const end = decided ?? { decision: 'settled', noteId: null };
    parked = false;
    decided = null;
    return end;
  };

  return async ({ reason, lastError, isStep }, settled) => {
    // One decision cannot be about two steps.
    if (parked) throw new Error(`Parked already; only the main flow of a process may park: ${reason}`);
    const { workflowId, workflowType: type, typedSearchAttributes } = workflowInfo();
    const orderId = typedSearchAttributes.get(searchAttributes.orderId);
    upsertSearchAttributes([{ key: searchAttributes.needsAttention, value: true }]);
    setCurrentDetails(`**Needs attention.** ${reason} ${OPTIONS}\n\nLast error: ${lastError}`);
    parked = true;
    let end: Decided | null = null;
    try {
      const since = now();
      await local.park({ workflowId, type, entityId, reason, lastError, since, ...(orderId && { orderId }) });
      await condition(() => decided !== null || settled());
      await readyAnswersGiven();
      end = endWait();
      retry.isRunning = isStep && end.decision === 'retry';
      await durable.unpark({ workflowId, ...end, isStep, at: now() });
    } catch (error) {
      // Otherwise the entry of a process that is cancelled while it waits would outlive it.
      if (end === null && isCancellation(error)) {
        const unparked = { workflowId, ...endWait(), at: now() };
        await CancellationScope.nonCancellable(() => durable.unpark(unparked));
        upsertSearchAttributes([{ key: searchAttributes.needsAttention, value: false }]);
      }
      throw error;
    }
    upsertSearchAttributes([{ key: searchAttributes.needsAttention, value: false }]);
    const { decision } = end;
    setCurrentDetails(
      decision === 'settled' ? 'It no longer needs attention.' : `An operator decided: ${decision}.`,
    );
    return decision;
  };
}

/** Registers `retry` and `abandon`; call it before the first await of a process. */
export function parkingFor(entityId: string): Parking {
  const retry = { isRunning: false };
  const wait = operatorWait(entityId, retry);
  const park = (
    doing: string,
    error: unknown,
    changed: () => boolean,
  ): Promise<ParkingDecision['decision']> => {
    const lastError = rootCauseMessage(error);
    log.warn('parked', { doing, lastError });
    return wait({ reason: `Could not ${doing}.`, lastError, isStep: true }, changed);
  };
  const { parking: sinks } = proxySinks<ParkingSinks>();
  const endRetry = (): void => {
    if (retry.isRunning) sinks.retryEnded(now());
    retry.isRunning = false;
  };

  return {
    async step(doing, run, changed = () => false) {
      for (let isRetry = false; ;) {
        try {
          const result = await run(isRetry);
          endRetry();
          return result;
        } catch (error) {
          if (isCancellation(error) || refusalIn(error)) {
            endRetry();
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
  };
}

/** The message of the innermost cause. */
function rootCauseMessage(error: unknown): string {
  let deepest = error;
  while (deepest instanceof Error && deepest.cause instanceof Error) deepest = deepest.cause;
  return deepest instanceof Error ? deepest.message.slice(0, 500) : 'unknown';
}
