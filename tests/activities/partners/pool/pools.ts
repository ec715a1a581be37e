import { countPool } from '../../../../activities/partners/pool/count-pool';
import { payPool } from '../../../../activities/partners/pool/pay-pool';
import { execute, firstRow, rows, type Db } from '../../../../db/sql/query';
import { poolPeriodNamed, type PoolKind } from '../../../../workflows/partners/pool/pool-period.rules';
import { violations } from '../../../support/checks/violations';

export const period = (kind: PoolKind, name: string) => {
  const found = poolPeriodNamed(kind, name);
  if (!found) throw new Error(`There is no period ${name}.`);
  return found;
};

const never = new AbortController().signal;

/** Counts a period and pays it; answers the run's id. */
export async function runPool(db: Db, kind: PoolKind, name: string, batch = 2): Promise<string> {
  const counted = await countPool(db, never, period(kind, name));
  if (!counted) throw new Error(`The pool ${name} cannot be counted yet.`);
  await payPool({ db, signal: never, batch }, counted.runId);
  return counted.runId;
}

/** The base that a run counted, in minor units. */
export const baseMinorOf = async (db: Db, runId: string): Promise<number> =>
  (await firstRow<{ minor: number }>(db, 'SELECT base_minor AS minor FROM pool_runs WHERE id = $1', [runId]))!
    .minor;

export const poolViolations = async (db: Db): Promise<string[]> =>
  (await violations(db)).filter((line) => line.startsWith('pools.'));

/** Gives a partner a rank by hand. */
export const rankOf = (db: Db, partnerId: string, level: number): Promise<number> =>
  execute(
    db,
    `UPDATE partner_standings SET rank_level = $2, highest_rank_level = greatest(highest_rank_level, $2),
       network_rank_level = greatest(network_rank_level, $2) WHERE partner_id = $1`,
    [partnerId, level],
  );

/** The shares of a run by partner. */
export async function sharesOfRun(db: Db, runId: string) {
  const found = await rows<{
    partnerId: string;
    volumeMinor: number;
    largestLegMinor: number;
    qualifiedMinor: number;
    takesPart: boolean;
    amountMinor: number;
  }>(
    db,
    `SELECT partner_id, volume_minor, largest_leg_minor, qualified_minor, takes_part, amount_minor
       FROM pool_shares WHERE run_id = $1 ORDER BY number`,
    [runId],
  );
  return new Map(found.map(({ partnerId, ...share }) => [partnerId, share]));
}
