import type { Pace } from '../duel';
import type { Buyer } from '../setting/people';
import type { Fact, Row } from '../row';
import type { Stage } from '../setting/stage';

/** What every chapter of the measurement works with. */
export interface Shop {
  stage: Stage;
  /** The first ones buy, the last ones sign in. */
  buyers: Buyer[];
  methodId: string;
  /** How many callers ask at once, one number after the other. */
  levels: readonly number[];
  pace: Pace;
}

/** What a chapter found out. */
export interface Findings {
  rows: Row[];
  facts: Fact[];
}
