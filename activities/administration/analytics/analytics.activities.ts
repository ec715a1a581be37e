import { rollUpChanges } from '../../../db/administration/analytics/rollup.transitions';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type { AnalyticsRollupActivities } from '../../../workflows/administration/analytics/analytics-rollup.contract';
import { withHeartbeat } from '../../heartbeat';

interface AnalyticsDeps {
  /** A pool for long work. */
  longDb: Db;
  /** The most facts of one transaction. */
  batch?: number;
  /** The time after which an activity ends, so that the process records how far it is. */
  turnMs?: number;
}

const BATCH = 10_000;
const TURN_MS = 60_000;

/** The rollups of figures. */
export const analyticsActivities = ({
  longDb,
  batch = BATCH,
  turnMs = TURN_MS,
}: AnalyticsDeps): AnalyticsRollupActivities => ({
  async rollUpFacts() {
    const done = { facts: 0, isDone: false };
    return withHeartbeat(
      async (signal) => {
        const until = Date.now() + turnMs;
        do {
          signal.throwIfAborted();
          const { facts } = await inTransaction(longDb, (tx) => rollUpChanges(tx, batch));
          done.facts += facts;
          done.isDone = facts < batch;
        } while (!done.isDone && Date.now() < until);
        return done;
      },
      () => done,
    );
  },
});
