import {
  condition,
  isCancellation,
  log,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import { refusal, refusalIn } from './errors';
import { abandonStep, retryStep } from './parking.contract';
import type { OperatorDecision, ParkingActivities, ParkingDecision } from './parking.contract';
import { searchAttributes } from './search-attributes';
import { askedTransactionsWithoutEnd, everyoneAnswered, now, transactionsWithoutEnd } from './steps';

/** Runs steps that must not be lost: one that has used up its retries waits for a person instead of failing. */
export interface Attention {
  /**
   * Runs a step. A refusal is an answer and goes to the caller. Any other failure parks the process until an operator
   * asks it to retry, or to abandon, which is thrown as the refusal ABANDONED.
   */
  step: <T>(doing: string, run: () => Promise<T>) => Promise<T>;
  /** Runs a stretch of the process; answers ABANDONED when an operator gave one of its steps up. */
  orAbandoned: <T>(stretch: () => Promise<T>) => Promise<T | 'ABANDONED'>;
}

/** Registers `retry` and `abandon`; call it before the first await of a process. */
export function attentionFor(entityId: string): Attention {
  const list = transactionsWithoutEnd<ParkingActivities>();
  const askedList = askedTransactionsWithoutEnd<ParkingActivities>();
  let parked = false;
  let decided: Pick<ParkingDecision, 'decision' | 'noteId'> | null = null;

  const decide =
    (decision: ParkingDecision['decision']) =>
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

  const park = async (doing: string, error: unknown): Promise<ParkingDecision['decision']> => {
    const { workflowId, workflowType: type } = workflowInfo();
    const lastError = innermost(error);
    const reason = `Could not ${doing}. Send the update «retry» when the cause is gone, or «abandon» to give up.`;
    log.warn('parked', { doing, lastError });
    upsertSearchAttributes([{ key: searchAttributes.needsAttention, value: true }]);
    setCurrentDetails(`**Needs attention.** ${reason}\n\nLast error: ${lastError}`);
    parked = true;
    await list.park({ workflowId, type, entityId, reason, lastError, since: now() });
    await condition(() => decided !== null);
    await everyoneAnswered(); // First the operator's answer, then what follows: traces must not change the order.
    const { decision, noteId } = decided ?? { decision: 'retry', noteId: null };
    parked = false;
    decided = null;
    await askedList.unpark({ workflowId, decision, noteId, at: now() });
    upsertSearchAttributes([{ key: searchAttributes.needsAttention, value: false }]);
    setCurrentDetails(`An operator decided: ${decision}.`);
    return decision;
  };

  return {
    async step(doing, run) {
      for (;;) {
        try {
          return await run();
        } catch (error) {
          if (isCancellation(error) || refusalIn(error)) throw error;
          if ((await park(doing, error)) === 'abandon')
            throw refusal('ABANDONED', `An operator gave up: ${doing}.`);
        }
      }
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
