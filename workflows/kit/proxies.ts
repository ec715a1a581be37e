import {
  allHandlersFinished,
  condition,
  ParentClosePolicy,
  proxyActivities,
  proxyLocalActivities,
  startChild,
  type ActivityInterfaceFor,
  type ActivityOptions,
} from '@temporalio/workflow';
import { ApplicationFailure, WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { reusePolicy, startOptions, type ProcessDefinition } from './process';
import { LOOK_UP_TIMES, PROVIDER_STEP_MS } from './provider-times';
import { LOOKUP_DRIVERS, lookupQueue, providerDriver, providerQueue, type ProviderQueue } from './queues';

/**
 * Steps that are one idempotent SQL transaction each. They run inside the workflow task, so a person who waits pays
 * no queue hop; an outage of up to half an hour is waited out before the caller is told.
 */
export const localTransactions = <Activities>(): ActivityInterfaceFor<Activities> =>
  proxyLocalActivities<Activities>({
    startToCloseTimeout: '10 seconds',
    scheduleToCloseTimeout: '40 minutes',
    localRetryThreshold: '20 seconds',
    retry: { initialInterval: '100 milliseconds', maximumInterval: '1 minute', maximumAttempts: 40 },
  });

/**
 * The same for what no person could help with, such as a way out or the operators' list: retried without end. It has
 * no schedule-to-close limit, because nothing could follow its failure.
 */
export const localTransactionsForever = <Activities>(): ActivityInterfaceFor<Activities> =>
  proxyLocalActivities<Activities>({
    startToCloseTimeout: '10 seconds',
    localRetryThreshold: '20 seconds',
    retry: { initialInterval: '100 milliseconds', maximumInterval: '10 minutes' },
  });

/**
 * The same for what somebody asked for and does not ask again. The server learns that it was asked only with the end of
 * the task that took the question, and a local activity commits before that: were the task lost then, and whoever asked
 * gone, the thing would be done and its process know nothing of it. As the server's own activity it begins only after
 * the question is written down. (An order is placed without this: its process looks for it by itself.)
 */
export const durableTransactions = <Activities>(): ActivityInterfaceFor<Activities> =>
  proxyActivities<Activities>({
    startToCloseTimeout: '10 seconds',
    scheduleToCloseTimeout: '40 minutes',
    retry: { initialInterval: '100 milliseconds', maximumInterval: '1 minute', maximumAttempts: 40 },
  });

/** The same, retried without end. */
export const durableTransactionsForever = <Activities>(): ActivityInterfaceFor<Activities> =>
  proxyActivities<Activities>({
    startToCloseTimeout: '10 seconds',
    retry: { initialInterval: '100 milliseconds', maximumInterval: '10 minutes' },
  });

/**
 * Calls to another company, on the queue of its driver, retried for about ten minutes. After half an hour, time in the
 * queue included, the step fails, so that a driver that nobody serves is noticed.
 */
export const provider = <Activities>(code: string): ActivityInterfaceFor<Activities> =>
  proxyActivities<Activities>({
    taskQueue: queueOf(code),
    startToCloseTimeout: PROVIDER_STEP_MS,
    scheduleToCloseTimeout: '30 minutes',
    retry: { initialInterval: '1 second', maximumInterval: '2 minutes', maximumAttempts: 10 },
  });

/** The same while a caller waits who can be answered without it: tried again at once, and given up in time. */
export const quickProvider = <Activities>(code: string): ActivityInterfaceFor<Activities> =>
  proxyActivities<Activities>({
    taskQueue: queueOf(code),
    startToCloseTimeout: '4 seconds',
    scheduleToCloseTimeout: '5 seconds',
    retry: { initialInterval: '200 milliseconds', maximumAttempts: 3 },
  });

/**
 * Look-ups at another company, on a queue where they delay no other call. They fail after two minutes, time in the
 * queue included: what comes after them, such as the release of stock, must not wait for a provider.
 */
export const providerLookup = <Activities>(code: string): ActivityInterfaceFor<Activities> =>
  proxyActivities<Activities>({
    taskQueue: lookupQueueOf(code),
    startToCloseTimeout: LOOK_UP_TIMES.tryMs,
    scheduleToCloseTimeout: LOOK_UP_TIMES.allTriesMs,
    heartbeatTimeout: '20 seconds',
    retry: { initialInterval: '1 second', maximumInterval: '30 seconds', maximumAttempts: 5 },
  });

/**
 * Options of an activity that runs for up to an hour and heartbeats by a timer. A worker that dies is noticed within
 * 30 s. Its tries are few: the next run on the schedule makes up for one that failed.
 */
export const LONG_WORK = {
  startToCloseTimeout: '1 hour',
  scheduleToCloseTimeout: '3 hours',
  heartbeatTimeout: '30 seconds',
  retry: { initialInterval: '10 seconds', maximumInterval: '10 minutes', maximumAttempts: 5 },
} as const satisfies ActivityOptions;

function queueOf(code: string): ProviderQueue {
  const driver = providerDriver(code);
  if (driver === null) throw unknownDriver(code);
  return providerQueue(driver);
}

function lookupQueueOf(code: string): ProviderQueue {
  const driver = LOOKUP_DRIVERS.find((name) => name === code);
  if (driver === undefined) throw unknownDriver(code);
  return lookupQueue(driver);
}

/** A failure of the step, not of the workflow task: an operator can retry it with a program that has the driver. */
const unknownDriver = (code: string): Error =>
  ApplicationFailure.nonRetryable(`There is no provider driver ${code} in this program.`, 'UnknownDriver');

/**
 * Starts a process that lives on without this one. One that runs already goes on as it is; so does one that has ended,
 * unless it is repeatable.
 */
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

/** Lets one piece of work run at a time, in the order asked: two decisions about one thing never cross. */
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

/** Waits until everyone who asked this process something has had the answer; only then may it close. */
export const handlersFinished = (): Promise<void> => condition(allHandlersFinished);

/** The process's own clock, for timestamps: it stands still in replay and jumps in time-skipping tests. */
export const now = (): string => new Date().toISOString();

/** How long until then, in milliseconds; 0 for what has passed. */
export const millisecondsUntil = (moment: string): number => Math.max(0, Date.parse(moment) - Date.now());

/** The same for a condition's time-out: never 0, which the SDK takes as another command. */
export const timeoutUntil = (moment: string): number => Math.max(1, millisecondsUntil(moment));
