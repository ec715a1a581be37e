import { recountUnitsSold } from '../../../db/catalog/popularity/popularity.transitions';
import type { Policy } from '../../../db/policy/config';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type { CataloguePopularityActivities } from '../../../workflows/catalog/popularity/catalogue-popularity.contract';

/** Few enough that whoever buys one of them meanwhile hardly waits. */
const BATCH = 2_000;

/** What keeps popularity true as days go by. */
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
