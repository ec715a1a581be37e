import type { Pace } from '../duel';
import type { Buyer } from '../setting/people';
import type { Fact, Row } from '../row';
import type { Stage } from '../setting/stage';

/** The inputs of every chapter of the measurement. */
export interface Shop {
  stage: Stage;
  /** The first ones buy, the last ones sign in. */
  buyers: Buyer[];
  methodId: string;
  /** Numbers of concurrent callers, measured one after the other. */
  levels: readonly number[];
  pace: Pace;
}

/** The results of a chapter. */
export interface Findings {
  rows: Row[];
  facts: Fact[];
}
