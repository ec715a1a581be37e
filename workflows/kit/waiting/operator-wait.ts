import {
  CancellationScope,
  condition,
  isCancellation,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import { refusal } from '../../errors';
import { abandonStep, retryStep } from '../parking.contract';
import type {
  OperatorDecision,
  ParkedProcess,
  ParkingActivities,
  ParkingDecision,
} from '../parking.contract';
import { durableTransactionsForever, localTransactionsForever, now, timeoutUntil } from '../proxies';
import { searchAttributes } from '../search-attributes';
import { renewalTime, type Renewal } from './renewal';

/** The reason of a wait for a person. */
interface Cause {
  reason: string;
  lastError: string;
  /** True if a step has failed, which `retry` tries again. */
  isStep: boolean;
}

/** Puts the process on the operators' list until one of them decides, or until `settled`; returns which. */
type WaitForOperator = (cause: Cause, settled: () => boolean) => Promise<WaitEnd>;

/** An operator's decision, or `settled`: something else made it unnecessary. */
export type WaitEnd = Exclude<ParkingDecision['decision'], 'renewed'>;

type Decided = Pick<ParkingDecision, 'noteId'> & { decision: WaitEnd };

/** An entry of the operators' list whose cause is tried again. */
export interface Retry {
  /** An operator has sent `retry`, and the step runs; or the process is about to continue as new. */
  isRunning: boolean;
  /** An earlier run of the process may have left the entry, and continued as new while it waited for a person. */
  isInherited: boolean;
}

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

/** The decision that a process waits for; `isMade` says whether it was sent. */
interface Awaited {
  isMade: () => boolean;
  isOpen: () => boolean;
  begin: () => void;
  /** Ends the wait; without a decision, something else has settled it. */
  end: () => Decided;
}

/** Registers `retry` and `abandon`, which are refused unless a decision is waited for. */
function awaitedDecision(retry: Retry): Awaited {
  let isOpen = false;
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
      if (!isOpen || decided !== null)
        throw refusal('NOT_PARKED', 'This operation does not wait for a decision.');
    },
  };
  setHandler(retryStep, decide('retry'), { ...onlyWhenParked, description: 'Try the failed step again.' });
  setHandler(abandonStep, decide('abandon'), { ...onlyWhenParked, description: 'Abandon the failed step.' });
  return {
    isMade: () => decided !== null,
    isOpen: () => isOpen,
    begin: () => (isOpen = true),
    end() {
      const end = decided ?? { decision: 'settled', noteId: null };
      isOpen = false;
      decided = null;
      return end;
    },
  };
}

/** The process, and what it knows of its subject: the order, the account, and the label that its starter gave it. */
function ownSubject(): Pick<ParkedProcess, 'workflowId' | 'type' | 'orderId' | 'userId' | 'label'> {
  const { workflowId, workflowType: type, typedSearchAttributes, memo } = workflowInfo();
  const orderId = typedSearchAttributes.get(searchAttributes.orderId);
  const userId = typedSearchAttributes.get(searchAttributes.userId);
  const label = memo?.['label'];
  return {
    ...{ workflowId, type },
    ...(orderId && { orderId }),
    ...(userId && { userId }),
    ...(typeof label === 'string' && { label }),
  };
}

/**
 * Registers `retry` and `abandon`, which are refused unless the process waits for an operator. A wait may outlive the run: the
 * next one tries again what it waits for, and the entry stays the same.
 */
export function operatorWait(entityId: string, retry: Retry, renewal: Renewal): WaitForOperator {
  const local = localTransactionsForever<ParkingActivities>();
  const durable = durableTransactionsForever<ParkingActivities>();
  const awaited = awaitedDecision(retry);

  const park = ({ reason, lastError }: Cause): Promise<void> => {
    const isRenewed = retry.isInherited;
    retry.isInherited = false;
    return local.park({
      ...{ ...ownSubject(), entityId, reason, lastError, since: now() },
      ...(isRenewed && { isRenewed }),
    });
  };
  const untilOver = async (isOver: () => boolean): Promise<void> => {
    const renewsAt = renewalTime();
    const summary = `continues as new at ${renewsAt}`;
    if (await condition(isOver, timeoutUntil(renewsAt), { summary })) return;
    if (!(await renewal.answers.recorded(isOver))) return;
    retry.isRunning = true;
    const { workflowId } = workflowInfo();
    await durable.unpark({ workflowId, decision: 'renewed', noteId: null, at: now() });
    setNeedsAttention(false);
    await renewal.answers.recorded();
    await renewal.renew();
  };

  return async (cause, settled) => {
    const { reason, lastError, isStep } = cause;
    // One decision cannot be about two steps.
    if (awaited.isOpen())
      throw new Error(`Parked already; only the main flow of a process may park: ${reason}`);
    const { workflowId } = workflowInfo();
    setNeedsAttention(true);
    setCurrentDetails(`**Needs attention.** ${reason} ${OPTIONS}\n\nLast error: ${lastError}`);
    awaited.begin();
    let end: Decided | null = null;
    try {
      await park(cause);
      await untilOver(() => awaited.isMade() || settled());
      await readyAnswersGiven();
      end = awaited.end();
      retry.isRunning = isStep && end.decision === 'retry';
      await durable.unpark({ workflowId, ...end, isStep, at: now() });
    } catch (error) {
      // Otherwise the entry of a process that is cancelled while it waits would outlive it.
      if (end === null && isCancellation(error)) {
        const unparked = { workflowId, ...awaited.end(), at: now() };
        await CancellationScope.nonCancellable(() => durable.unpark(unparked));
        setNeedsAttention(false);
      }
      throw error;
    }
    setNeedsAttention(false);
    const { decision } = end;
    setCurrentDetails(
      decision === 'settled' ? 'It no longer needs attention.' : `An operator decided: ${decision}.`,
    );
    return decision;
  };
}

const setNeedsAttention = (value: boolean): void =>
  upsertSearchAttributes([{ key: searchAttributes.needsAttention, value }]);
