import type { Stories } from './stories/buyer-story';
import type { ClientLog } from './asking/client-log';
import type { Random } from './random';
import type { People, Shop } from './stories/shop';
import type { Stack } from './platform/stack';

/** What a fault may reach. */
export interface Occasion {
  readonly stack: Stack;
  readonly random: Random;
  readonly shop: Shop;
  readonly people: People;
  readonly log: ClientLog;
  /** Settles when the last buyer has gone home. */
  readonly load: Promise<unknown>;
}

/** One way in which things go wrong. */
export interface Fault {
  readonly name: string;
  /** Does it, while the buyers buy; what it leaves broken is mended afterwards by `Stack.heal`. */
  readonly inject: (occasion: Occasion) => Promise<void>;
  /** What only this fault has to hold, asked when all is quiet; in words what does not. */
  readonly expect?: (occasion: Occasion) => Promise<string[]> | string[];
  readonly stories?: Partial<Stories>;
  /** Takes minutes: once in a run, at its end. */
  readonly heavy?: true;
}
