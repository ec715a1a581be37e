import type { Tx } from '../../sql/query';

/** The data that the seed is to add. */
export interface SeedOptions {
  /** Adds the demo shop and its accounts. */
  demo: boolean;
  /** Refuses administrators with the demo's public passwords. */
  production: boolean;
  /** The first administrator, if one is configured. */
  administrator: { email: string; password: string } | null;
  /** The moment of seeding. */
  at: Date;
}

/** One part of the seed: added as a whole where it is missing, and else not changed. */
export interface SeedStep {
  title: string;
  isMissing: (tx: Tx, options: SeedOptions) => Promise<boolean>;
  add: (tx: Tx, options: SeedOptions) => Promise<void>;
}
