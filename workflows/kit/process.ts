import { TypedSearchAttributes } from '@temporalio/common';
import type { ProcessQueue } from './queues';
import { searchAttributes } from './search-attributes';

/**
 * How long the server waits for a worker that took a task before it gives the task to another. Where a person waits it
 * is less than they wait for an answer, so that a worker that dies or stops is not noticed; elsewhere it is longer, so
 * that a pause under load does not make tasks run twice. What takes longer reports in time that it goes on.
 */
const taskTimeoutMs = (queue: ProcessQueue): number => (queue === 'interactive' ? 5_000 : 10_000);

export type Area =
  'identity' | 'catalog' | 'commerce' | 'kyc' | 'investment' | 'partners' | 'ledger' | 'administration';

/** All that anyone but its body needs to know of a process: enough to start it, find it and read it in the UI. */
export interface ProcessDefinition<Input, Result = unknown, Key extends keyof Input = keyof Input> {
  /** The workflow's exported name. */
  readonly type: string;
  readonly queue: ProcessQueue;
  readonly area: Area;
  /** The workflow id, made of the key alone. It is the rule that the same thing is not done twice. */
  readonly id: (key: Pick<Input, Key>) => string;
  /** What the process is about, for search: the id of an order, an event, … */
  readonly entityId: (input: Input) => string;
  readonly userId?: (input: Input) => string;
  /** One line for the operators' list, without personal data. */
  readonly summary: (input: Input) => string;
  /**
   * Whether a process that ended may be started again under its id: for what runs for ever, for schedules, and for what
   * one request opens, which finds out by itself what an earlier opening came to.
   */
  readonly repeatable?: true;
  /** Never set: it only carries the result's type. */
  readonly result?: Result;
}

/** A process as published: what starts it and what it ends with, without its body. */
export function defineProcess<Input, Result, Key extends keyof Input = keyof Input>(
  definition: ProcessDefinition<Input, Result, Key>,
): ProcessDefinition<Input, Result, Key> {
  return definition;
}

/** How a process is started, by whomever: its id, queue, input, and what it is found by. */
export function startOptions<Input>(process: ProcessDefinition<Input>, input: Input) {
  const { entityId, area, userId } = searchAttributes;
  return {
    workflowId: process.id(input),
    taskQueue: process.queue,
    workflowTaskTimeout: taskTimeoutMs(process.queue),
    args: [input] as [Input],
    typedSearchAttributes: new TypedSearchAttributes([
      { key: entityId, value: process.entityId(input) },
      { key: area, value: process.area },
      ...(process.userId ? [{ key: userId, value: process.userId(input) }] : []),
    ]),
    staticSummary: process.summary(input),
  };
}

/** Whether a process that ended may be started again under its id. */
export const reusePolicy = ({ repeatable }: Pick<ProcessDefinition<never>, 'repeatable'>) =>
  repeatable ? ('ALLOW_DUPLICATE' as const) : ('REJECT_DUPLICATE' as const);
