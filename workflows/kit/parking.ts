import {
  condition,
  isCancellation,
  log,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import { refusal, refusalIn } from '../errors';
import { abandonStep, retryStep } from './parking.contract';
import type { OperatorDecision, ParkingActivities, ParkingDecision } from './parking.contract';
import { searchAttributes } from './search-attributes';
import { durableTransactionsForever, handlersFinished, now, localTransactionsForever } from './proxies';

/** Runs steps that must not be lost: one that has used up its retries waits for a person instead of failing. */
export interface Parking {
  /**
   * Runs a step. A refusal is an answer and goes to the caller. Any other failure parks the process until an operator
   * asks it to retry, or to abandon, which is thrown as the refusal ABANDONED. `changed`: whether something has happened
   * since the try began by which another may come to an end; then it is tried again without an operator.
   */
  step: <T>(doing: string, run: () => Promise<T>, changed?: () => boolean) => Promise<T>;
  /**
   * Asks a person to look at the process, whose updates are the ways to help. Ends when an operator decides either way
   * or `settled` says that there is no need any more.
   */
  ask: (reason: string, settled: () => boolean) => Promise<void>;
  /** Runs a stretch of the process; answers ABANDONED when an operator gave one of its steps up. */
  orAbandoned: <T>(stretch: () => Promise<T>) => Promise<T | 'ABANDONED'>;
}

/** Lists the process for operators until one of them decides, or until `settled`; answers which. */
type WaitForPerson = (
  reason: string,
  lastError: string,
  settled: () => boolean,
) => Promise<ParkingDecision['decision']>;

/** Registers `retry` and `abandon`, which are refused unless the process waits for a person. */
function waitingFor(entityId: string): WaitForPerson {
  const list = localTransactionsForever<ParkingActivities>();
  const askedList = durableTransactionsForever<ParkingActivities>();
  let parked = false;
  let decided: { decision: 'retry' | 'abandon'; noteId: string | null } | null = null;

  const decide =
    (decision: 'retry' | 'abandon') =>
    ({ noteId }: OperatorDecision): null => {
      decided = { decision, noteId };
      return null;
    };
  const onlyWhenParked = {
    validator: (_decision: OperatorDecision): void => {
      if (!parked || decided !== null)
        throw refusal('NOT_PARKED', 'This process does not wait for a decision.');
    },
  };
  setHandler(retryStep, decide('retry'), { ...onlyWhenParked, description: 'Try the failed step again.' });
  setHandler(abandonStep, decide('abandon'), { ...onlyWhenParked, description: 'Give the failed step up.' });

  return async (reason, lastError, settled) => {
    const { workflowId, workflowType: type } = workflowInfo();
    upsertSearchAttributes([{ key: searchAttributes.needsAttention, value: true }]);
    setCurrentDetails(`**Needs attention.** ${reason}\n\nLast error: ${lastError}`);
    parked = true;
    await list.park({ workflowId, type, entityId, reason, lastError, since: now() });
    await condition(() => decided !== null || settled());
    await handlersFinished(); // First the operator's answer, then what follows: traces must not change the order.
    const { decision, noteId } = decided ?? { decision: 'settled' as const, noteId: null };
    parked = false;
    decided = null;
    await askedList.unpark({ workflowId, decision, noteId, at: now() });
    upsertSearchAttributes([{ key: searchAttributes.needsAttention, value: false }]);
    setCurrentDetails(
      decision === 'settled' ? 'It needs no attention any more.' : `An operator decided: ${decision}.`,
    );
    return decision;
  };
}

/** Registers `retry` and `abandon`; call it before the first await of a process. */
export function parkingFor(entityId: string): Parking {
  const wait = waitingFor(entityId);
  const park = (
    doing: string,
    error: unknown,
    changed: () => boolean,
  ): Promise<ParkingDecision['decision']> => {
    const lastError = innermost(error);
    log.warn('parked', { doing, lastError });
    const ways = 'Send the update «retry» when the cause is gone, or «abandon» to give up.';
    return wait(`Could not ${doing}. ${ways}`, lastError, changed);
  };

  return {
    async step(doing, run, changed = () => false) {
      for (;;) {
        try {
          return await run();
        } catch (error) {
          if (isCancellation(error) || refusalIn(error)) throw error;
          if ((await park(doing, error, changed)) === 'abandon')
            throw refusal('ABANDONED', `An operator gave up: ${doing}.`);
        }
      }
    },
    async ask(reason, settled) {
      await wait(reason, 'none', settled);
    },
    async orAbandoned(stretch) {
      try {
        return await stretch();
      } catch (error) {
        if (refusalIn(error)?.code !== 'ABANDONED') throw error;
        return 'ABANDONED';
      }
    },
  };
}

/** What went wrong first, under the failures that wrapped it. */
function innermost(error: unknown): string {
  let deepest = error;
  while (deepest instanceof Error && deepest.cause instanceof Error) deepest = deepest.cause;
  return deepest instanceof Error ? deepest.message.slice(0, 500) : 'unknown';
}
