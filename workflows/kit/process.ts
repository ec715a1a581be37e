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

/**
 * The rows that a process drives, as plain data: its names are those of the database. `db/invariants/driven/driven-row.reads.ts`
 * makes SQL of it. An open row needs its process; a settled one has nothing left for it to do; others may have one or not.
 */
export interface Drives {
  readonly table: string;
  /** The columns from which the process's input is made, by their names in the input. */
  readonly key: Readonly<Record<string, string>>;
  /** The values that rows of this process have, by column, where others drive rows of the table too. */
  readonly only?: Readonly<Record<string, string>>;
  /** The column with the entity that the process carries, if that is not the row's id: an entity may then have several rows. */
  readonly entity?: string;
  /** The column by which people know a row, for reports. */
  readonly name?: string;
  /** The column with the money that waits, in minor units of the row's `currency`; of several, the first that is set. */
  readonly amount?: string | readonly string[];
  /** The column with the row's state. */
  readonly column?: string;
  /** The states in which a row is open. They are listed, since a state that can still be left may need no process. */
  readonly open?: readonly string[];
  /** A column that is set while a row is open, in whatever state; it is cleared when the need ends. */
  readonly openWhileSet?: string;
  /** The states in which a row is settled; left out: all in which it is not open. */
  readonly settled?: readonly string[];
  /** A column that is set once a row is settled, instead of its states. */
  readonly settledOnceSet?: string;
  /** The column with the time since which a row is open; of several, the first that is set. */
  readonly since: string | readonly string[];
  /** The column with the time since which a row is settled; left out: as `since`. */
  readonly settledSince?: string | readonly string[];
  /** A row may lack its process for so many minutes after the time in this column: a sweep starts one that was lost. */
  readonly startedWithin?: { readonly column: string; readonly minutes: number };
  /** States of which a process may learn so many minutes late; a row in one of them is settled after that. */
  readonly endsWithin?: { readonly states: readonly string[]; readonly minutes: number };
  /** The types of other processes that may drive an open row instead. */
  readonly orBy?: readonly string[];
  /** True if the row exists before the process and is settled until it acts; a young process is then no violation. */
  readonly rowIsFirst?: true;
  /** True if the process may wait for long before it writes its row. */
  readonly rowMayWait?: true;
}

/** The rows of a process with this input, of which they name what makes its id. */
export type DrivesOf<Input, Key extends keyof Input> = Omit<Drives, 'key'> & {
  readonly key: { readonly [Name in keyof Pick<Input, Key>]: string } & {
    readonly [Name in keyof Input]?: string;
  };
};

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
  /** The entity's kind in the words of the API's `idOf`, where its id is one of those: operators get a link to it. */
  readonly resource?: string;
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
  /** True if it waits for an operator when a step has used up its retries. */
  readonly parks?: true;
  /** Words for the matter of a person that it is about, of which nobody decides on their own: "your own payout". */
  readonly ownMatter?: string;
  /** The rows that need it; left out: none does. */
  readonly drives?: Drives;
  /** Never set; carries only the type of the result. */
  readonly result?: Result;
}

/** Declares a process, with its result's type. */
export function defineProcess<Input, Result, Key extends keyof Input = keyof Input>(
  definition: Omit<ProcessDefinition<Input, Result, Key>, 'drives'> & {
    readonly drives?: DrivesOf<Input, Key>;
  },
): ProcessDefinition<Input, Result, Key> {
  return definition;
}

/** The start options of a process: id, queue, input, search attributes and label; the same for every starter. */
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
    // A process cannot read its own summary.
    ...(process.parks && { memo: { label: process.summary(input) } }),
  };
}

/** The reuse policy of the process's id after it has ended. */
export const reusePolicy = ({ repeatable }: Pick<ProcessDefinition<never>, 'repeatable'>) =>
  repeatable ? ('ALLOW_DUPLICATE' as const) : ('REJECT_DUPLICATE' as const);
