import { recountUnitsSold } from '../../../db/catalog/popularity/popularity.transitions';
import type { Policy } from '../../../db/policy/config';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type { CataloguePopularityActivities } from '../../../workflows/catalog/popularity/catalogue-popularity.contract';

/** Products per transaction: few, since buyers of these products wait for it. */
const BATCH = 2_000;

/** The activities of the daily recount of popularity. */
export const popularityActivities = ({
  db,
  policy,
}: {
  /** A pool for long work: the recount reads all sales of the window. */
  db: Db;
  policy: Policy;
}): CataloguePopularityActivities => ({
  async recountPopularity({ at }) {
    const changed = await inTransaction(db, (tx) =>
      recountUnitsSold(tx, { at, limit: BATCH, windowDays: policy.popularityDays }),
    );
    return { changed, full: changed === BATCH };
  },
});
