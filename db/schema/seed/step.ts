import type { Tx } from '../../sql/query';

/** What the first start is asked to put in place. */
export interface SeedOptions {
  /** Whether to add the demo shop and its people. */
  demo: boolean;
  /** Whether the world can reach this: then nobody may rule with a password that everyone can read. */
  production: boolean;
  /** The first administrator, where one was named. */
  administrator: { email: string; password: string } | null;
  /** The moment of seeding. */
  at: Date;
}

/** One part of what the first start puts in place. It is added as a whole where it is missing, and else left alone. */
export interface SeedStep {
  title: string;
  isMissing: (tx: Tx, wishes: SeedOptions) => Promise<boolean>;
  add: (tx: Tx, wishes: SeedOptions) => Promise<void>;
}
