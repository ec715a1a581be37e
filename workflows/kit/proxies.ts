import {
  allHandlersFinished,
  condition,
  ParentClosePolicy,
  proxyActivities,
  proxyLocalActivities,
  startChild,
  workflowInfo,
  type ActivityInterfaceFor,
  type ActivityOptions,
} from '@temporalio/workflow';
import { defineSearchAttributeKey, WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { reusePolicy, startOptions, type ProcessDefinition } from './process';
import { LOOK_UP_TIMES, PROVIDER_STEP_MS } from './limits/provider-times';
import { LONG_QUEUE, lookupQueue, providerQueue } from './queues';
import { stretched } from './limits/slowness';

/**
 * Steps that are one idempotent SQL transaction each. They run inside the workflow task, so a waiting caller does not
 * pay for a task queue; retries outlast an outage of up to half an hour.
 */
export const localTransactions = <Activities>(): ActivityInterfaceFor<Activities> =>
  proxyLocalActivities<Activities>({
    startToCloseTimeout: stretched(10_000),
    scheduleToCloseTimeout: '40 minutes',
    localRetryThreshold: '20 seconds',
    retry: { initialInterval: '100 milliseconds', maximumInterval: '1 minute', maximumAttempts: 40 },
  });

/**
 * `localTransactions`, retried without end, for steps that no operator could replace, such as a compensation or the
 * operators' list. There is no schedule-to-close limit, because a process could not react to the failure.
 */
export const localTransactionsForever = <Activities>(): ActivityInterfaceFor<Activities> =>
  proxyLocalActivities<Activities>({
    startToCloseTimeout: stretched(10_000),
    localRetryThreshold: '20 seconds',
    retry: { initialInterval: '100 milliseconds', maximumInterval: '10 minutes' },
  });

/**
 * `localTransactions` as activities of the server, for commands that their caller does not repeat. The server records
 * an update only when its workflow task ends, and a local activity commits before that: if the task were lost then,
 * the change would be made and its process would not know. A server activity starts only after the update is recorded.
 * (Checkout does not need this: its process looks for the order by itself.)
 */
export const durableTransactions = <Activities>(): ActivityInterfaceFor<Activities> =>
  proxyActivities<Activities>({
    startToCloseTimeout: stretched(10_000),
    scheduleToCloseTimeout: '40 minutes',
    retry: { initialInterval: '100 milliseconds', maximumInterval: '1 minute', maximumAttempts: 40 },
  });

/** `durableTransactions`, retried without end. */
export const durableTransactionsForever = <Activities>(): ActivityInterfaceFor<Activities> =>
  proxyActivities<Activities>({
    startToCloseTimeout: stretched(10_000),
    retry: { initialInterval: '100 milliseconds', maximumInterval: '10 minutes' },
  });

/**
 * Calls to a provider, on the queue of its driver, retried for about ten minutes. After half an hour, time in the queue
 * included, the step fails, so that a queue without a worker is noticed, and a code that no worker has a driver for.
 */
export const provider = <Activities>(code: string): ActivityInterfaceFor<Activities> =>
  proxyActivities<Activities>({
    taskQueue: providerQueue(code),
    startToCloseTimeout: PROVIDER_STEP_MS,
    scheduleToCloseTimeout: '30 minutes',
    retry: { initialInterval: '1 second', maximumInterval: '2 minutes', maximumAttempts: 10 },
  });

/** `provider`, for a waiting caller who can be answered without it: quick retries, and a failure after five seconds. */
export const quickProvider = <Activities>(code: string): ActivityInterfaceFor<Activities> =>
  proxyActivities<Activities>({
    taskQueue: providerQueue(code),
    startToCloseTimeout: stretched(4_000),
    scheduleToCloseTimeout: stretched(5_000),
    retry: { initialInterval: '200 milliseconds', maximumAttempts: 3 },
  });

/**
 * Look-ups at a provider, on a queue where they delay no other call. They fail after two minutes, time in the queue
 * included, so that the next step, such as the release of stock, does not wait for a provider.
 */
export const providerLookup = <Activities>(code: string): ActivityInterfaceFor<Activities> =>
  proxyActivities<Activities>({
    taskQueue: lookupQueue(code),
    startToCloseTimeout: LOOK_UP_TIMES.tryMs,
    scheduleToCloseTimeout: LOOK_UP_TIMES.allTriesMs,
    heartbeatTimeout: '20 seconds',
    retry: { initialInterval: '1 second', maximumInterval: '30 seconds', maximumAttempts: 5 },
  });

/**
 * Readings of a provider's statement, on the queue of its look-ups: some pages in each, within minutes, so that look-ups get their
 * turn. They heartbeat, and go on behind the last page that was recorded.
 */
export const statementReading = <Activities>(code: string): ActivityInterfaceFor<Activities> =>
  proxyActivities<Activities>({
    taskQueue: lookupQueue(code),
    startToCloseTimeout: '10 minutes',
    scheduleToCloseTimeout: '3 hours',
    heartbeatTimeout: '30 seconds',
    retry: { initialInterval: '1 second', maximumInterval: '5 minutes', maximumAttempts: 20 },
  });

/**
 * Options of an activity that runs for up to an hour on a queue of its own and heartbeats by a timer, so that the loss of its worker is
 * noticed within 30 s. It has few retries, because the next run of its schedule makes up for a failure.
 */
export const LONG_WORK = {
  taskQueue: LONG_QUEUE,
  startToCloseTimeout: '1 hour',
  scheduleToCloseTimeout: '3 hours',
  heartbeatTimeout: '30 seconds',
  retry: { initialInterval: '10 seconds', maximumInterval: '10 minutes', maximumAttempts: 5 },
} as const satisfies ActivityOptions;

/** Starts a process that outlives this one. Does nothing if it runs already, or has ended and is not repeatable. */
export async function startDetached<Input>(process: ProcessDefinition<Input>, input: Input): Promise<void> {
  try {
    await startChild(process.type, {
      ...startOptions(process, input),
      parentClosePolicy: ParentClosePolicy.ABANDON,
      workflowIdReusePolicy: reusePolicy(process),
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}

/** Runs work one at a time, in the order of the calls, so that two decisions about one thing never overlap. */
export function oneAtATime(): <T>(work: () => Promise<T>) => Promise<T> {
  let waiting = 0;
  let served = 0;
  return async (work) => {
    const turn = waiting++;
    await condition(() => served === turn);
    try {
      return await work();
    } finally {
      served++;
    }
  };
}

/** Waits until every update and signal handler has finished; only then may a process close. */
export const handlersFinished = (): Promise<void> => condition(allHandlersFinished);

/** The process's clock as ISO 8601: the time of the workflow task, the same in every replay. */
export const now = (): string => new Date().toISOString();

/** Milliseconds until a time; 0 if it has passed. */
export const millisecondsUntil = (moment: string): number => Math.max(0, Date.parse(moment) - Date.now());

/** `millisecondsUntil` as the timeout of `condition`: never 0, for which the SDK issues other commands. */
export const timeoutUntil = (moment: string): number => Math.max(1, millisecondsUntil(moment));

const SCHEDULED_AT = defineSearchAttributeKey('TemporalScheduledStartTime', 'DATETIME');

/** The moment (ISO 8601) for which a schedule started this run, also in a backfill; by hand: its start. */
export function scheduledFor(): string {
  const { startTime, typedSearchAttributes } = workflowInfo();
  return (typedSearchAttributes.get(SCHEDULED_AT) ?? startTime).toISOString();
}
