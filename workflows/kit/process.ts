import { TypedSearchAttributes } from '@temporalio/common';
import type { ProcessQueue } from './queues';
import { searchAttributes } from './search-attributes';
import { stretched } from './limits/slowness';

/**
 * The time after which the server gives a task to another worker. Where a person waits it is shorter than the deadline
 * of the request, so that the loss of a worker goes unnoticed; elsewhere it is longer, so that a pause under load does
 * not run tasks twice. Local activities that take longer extend it by heartbeats.
 */
const taskTimeoutMs = (queue: ProcessQueue): number => stretched(queue === 'interactive' ? 5_000 : 10_000);

export type Area =
  'identity' | 'catalog' | 'commerce' | 'kyc' | 'investment' | 'partners' | 'ledger' | 'administration';

/** A process without its body: everything that is needed to start it, find it and read it in Temporal's UI. */
export interface ProcessDefinition<Input, Result = unknown, Key extends keyof Input = keyof Input> {
  /** The workflow's exported name. */
  readonly type: string;
  readonly queue: ProcessQueue;
  readonly area: Area;
  /** The workflow id, made from the key only. It is the idempotency rule: one process per key. */
  readonly id: (key: Pick<Input, Key>) => string;
  /** The id of the order, the event, … that the process is about, for search. */
  readonly entityId: (input: Input) => string;
  /** The order that it is about, where its starter knows one; all processes of an order are found by it. */
  readonly orderId?: (input: Input) => string | undefined;
  /** The account that it is about, where its starter knows one. */
  readonly userId?: (input: Input) => string | undefined;
  /** One line for Temporal's lists, without personal data; it begins with what people say on the phone. */
  readonly summary: (input: Input) => string;
  /**
   * True if an ended process may be started again under its id: for endless processes, for schedules, and for processes
   * that a request opens and that find an earlier run's result by themselves.
   */
  readonly repeatable?: true;
  /** Never set; carries only the type of the result. */
  readonly result?: Result;
}

/** Declares a process, with its result's type. */
export function defineProcess<Input, Result, Key extends keyof Input = keyof Input>(
  definition: ProcessDefinition<Input, Result, Key>,
): ProcessDefinition<Input, Result, Key> {
  return definition;
}

/** The start options of a process: id, queue, input and search attributes; the same for every starter. */
export function startOptions<Input>(process: ProcessDefinition<Input>, input: Input) {
  const { entityId, area, userId, orderId } = searchAttributes;
  const [ofOrder, ofUser] = [process.orderId?.(input), process.userId?.(input)];
  return {
    workflowId: process.id(input),
    taskQueue: process.queue,
    workflowTaskTimeout: taskTimeoutMs(process.queue),
    args: [input] as [Input],
    typedSearchAttributes: new TypedSearchAttributes([
      { key: entityId, value: process.entityId(input) },
      { key: area, value: process.area },
      ...(ofOrder === undefined ? [] : [{ key: orderId, value: ofOrder }]),
      ...(ofUser === undefined ? [] : [{ key: userId, value: ofUser }]),
    ]),
    staticSummary: process.summary(input),
  };
}

/** The reuse policy of the process's id after it has ended. */
export const reusePolicy = ({ repeatable }: Pick<ProcessDefinition<never>, 'repeatable'>) =>
  repeatable ? ('ALLOW_DUPLICATE' as const) : ('REJECT_DUPLICATE' as const);
