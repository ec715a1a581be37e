import type { Journeys } from './scenario/buyer-journey';
import type { ClientLog } from './requests/client-log';
import type { Random } from './random';
import type { People, Shop } from './scenario/shop';
import type { Stack } from './platform/stack';

/** Everything that a fault may use. */
export interface FaultContext {
  readonly stack: Stack;
  readonly random: Random;
  readonly shop: Shop;
  readonly people: People;
  readonly log: ClientLog;
  /** Settles when the last buyer has finished. */
  readonly load: Promise<unknown>;
}

/** A fault that a scenario injects. */
export interface Fault {
  readonly name: string;
  /** Runs before the buyers begin, for what takes long. */
  readonly prepare?: (stack: Stack) => Promise<unknown>;
  /** Causes it while the buyers buy; `Stack.heal` repairs afterwards what it leaves broken. */
  readonly inject: (context: FaultContext) => Promise<void>;
  /** Checks that only this fault requires, when nothing runs any more; answers a line for each violation. */
  readonly expect?: (context: FaultContext) => Promise<string[]> | string[];
  readonly journeys?: Partial<Journeys>;
  /** Takes minutes: once in a run, at its end. */
  readonly heavy?: true;
}
