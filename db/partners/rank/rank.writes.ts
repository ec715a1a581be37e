import type { CreationAttributes } from 'sequelize';
import { v7 } from 'uuid';
import { execute, firstRow, rows, type Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { uplinesFrom } from '../network/upline.reads';
import { RankChange } from './rank-change.model';

/** A partner on the way up from one whose rank changes. */
export interface RankedAbove {
  partnerId: string;
  rankLevel: number;
  rankLimit: number | null;
  networkRankLevel: number;
}

/**
 * Locks the standings of a partner and of all above, in the order of partners' ids, so that no rank of them changes meanwhile;
 * returns them from the partner up. Empty if there is no such partner.
 */
export async function lockRanksAbove(tx: Tx, partnerId: string): Promise<RankedAbove[]> {
  const uplines = await uplinesFrom(tx, partnerId);
  const ids = uplines.map((upline) => upline.partnerId);
  const locked = await rows<RankedAbove>(
    tx,
    `SELECT partner_id, rank_level, rank_limit, network_rank_level FROM partner_standings
     WHERE partner_id = ANY ($1::uuid[]) ORDER BY partner_id FOR NO KEY UPDATE`,
    [ids],
  );
  return locked.sort((a, b) => ids.indexOf(a.partnerId) - ids.indexOf(b.partnerId));
}

/** Sets the rank of a partner whose standings and those above are locked by `lockRanksAbove`, and their network ranks. */
export async function setRank(
  tx: Tx,
  above: readonly RankedAbove[],
  { level, limit, at }: { level: number; limit: number | null; at: Date },
): Promise<void> {
  const [own] = above;
  if (!own) throw new Error('There is no partner to rank.');
  await execute(
    tx,
    `UPDATE partner_standings s SET rank_level = $2, rank_limit = $3,
       highest_rank_at = CASE WHEN $2 > s.highest_rank_level THEN $4 ELSE s.highest_rank_at END,
       highest_rank_level = greatest(s.highest_rank_level, $2),
       network_rank_level = greatest($2, s.network_rank_level)
     WHERE s.partner_id = $1`,
    [own.partnerId, level, limit, at],
  );
  if (level >= own.rankLevel) await raiseNetworkRanks(tx, above, level);
  else await recountNetworkRanks(tx, above);
}

const raiseNetworkRanks = async (tx: Tx, above: readonly RankedAbove[], level: number): Promise<void> => {
  await execute(
    tx,
    `UPDATE partner_standings SET network_rank_level = $2
     WHERE partner_id = ANY ($1::uuid[]) AND network_rank_level < $2`,
    [above.map(({ partnerId }) => partnerId), level],
  );
};

/**
 * Counts the highest rank of each network anew, from the partner up, until one stays as it was. `> 1` lets the index of the few
 * legs with a rank find the highest.
 */
async function recountNetworkRanks(tx: Tx, above: readonly RankedAbove[]): Promise<void> {
  for (const { partnerId, networkRankLevel } of above) {
    const recounted = await firstRow<{ networkRankLevel: number }>(
      tx,
      `UPDATE partner_standings s SET network_rank_level = greatest(s.rank_level,
         (SELECT c.network_rank_level FROM partner_standings c WHERE c.sponsor_id = s.partner_id
            AND c.network_rank_level > 1 ORDER BY c.network_rank_level DESC LIMIT 1))
       WHERE s.partner_id = $1 RETURNING network_rank_level`,
      [partnerId],
    );
    if (recounted?.networkRankLevel === networkRankLevel) return;
  }
}

export const recordRankChange = (
  tx: Tx,
  change: Omit<CreationAttributes<RankChange>, 'id' | 'number'>,
): Promise<void> => table(tx, RankChange).insert({ id: v7(), ...change });
