import { recountUnitsSold } from '../../db/catalog/popularity.transitions';
import type { Db } from '../../db/sql';
import { inTransaction } from '../../db/transaction';
import type { CataloguePopularityActivities } from '../../workflows/catalog/catalogue-popularity.contract';

/** Few enough that whoever buys one of them meanwhile hardly waits. */
const BATCH = 2_000;

/** What keeps popularity true as days go by. */
export const popularityActivities = ({ db }: { db: Db }): CataloguePopularityActivities => ({
  async recountPopularity({ at }) {
    const changed = await inTransaction(db, (tx) => recountUnitsSold(tx, at, BATCH));
    return { changed, full: changed === BATCH };
  },
});
