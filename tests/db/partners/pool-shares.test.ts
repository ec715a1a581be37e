import {
  poolShares,
  poolSharesAfter,
  type PoolShareFigures,
} from '../../../db/partners/pool/pool-share.reads';
import { execute } from '../../../db/sql/query';
import { make } from '../../support/builders/make';
import { poolRun } from '../../support/builders/make/partners/pool-runs';
import { ownDatabase } from '../../support/servers/database';

const own = ownDatabase();
const PARTNERS = 23;

test('by reads that follow one another each share comes once, largest first, with many equal ones and many of nothing', async () => {
  const { id: runId } = await poolRun(own.db);
  const others = [];
  for (let n = 0; n < PARTNERS; n++) others.push((await make.partner(own.db)).id);
  await execute(
    own.db,
    `INSERT INTO pool_shares (run_id, partner_id, number, rank_level, weight, legs, volume_minor, largest_leg_minor,
       qualified_minor, takes_part, amount_minor, commission_id)
     SELECT $1, id, number, 3, 1, 2, 100, 50, 100, minor > 0, minor, CASE WHEN minor > 0 THEN gen_random_uuid() END
       FROM (SELECT *, greatest(number % 4 - 1, 0) AS minor FROM partners WHERE id = ANY ($2::uuid[])) p`,
    [runId, others],
  );
  const { total, shares } = await poolShares(own.db, runId, { limit: 100, offset: 0 });
  expect(total).toBe(PARTNERS + 2);
  for (const limit of [1, 3, 7, 100]) {
    const found: PoolShareFigures[] = [];
    for (let after: PoolShareFigures | null = null; ;) {
      const read: PoolShareFigures[] = await poolSharesAfter(own.db, runId, after, limit);
      found.push(...read);
      if (read.length < limit) break;
      after = read.at(-1)!;
    }
    expect(found).toEqual(shares);
  }
});
