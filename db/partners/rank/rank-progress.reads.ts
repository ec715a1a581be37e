import type { Attributes } from 'sequelize';
import { firstRow, rows, type Db } from '../../sql/query';
import type { PartnerStanding } from '../membership/partner-standing.model';
import type { PartnerRank } from '../programme/partner-rank.model';
import type { RankChange } from './rank-change.model';

export type Rank = Attributes<PartnerRank>;

/** The ranks of the version of the programme that is in force at a moment, the lowest first. */
export const ranksInForce = (db: Db, at: Date): Promise<Rank[]> =>
  rows<Rank>(
    db,
    `SELECT r.* FROM partner_ranks r WHERE r.programme_version = (SELECT version FROM partner_programmes
       WHERE valid_from <= $1 ORDER BY valid_from DESC LIMIT 1) ORDER BY r.level`,
    [at],
  );

export type Standing = Pick<
  Attributes<PartnerStanding>,
  'rankLevel' | 'rankLimit' | 'highestRankLevel' | 'highestRankAt' | 'personalPoints' | 'groupPoints'
> & {
  /** The time of the last change of rank, else of joining. */
  rankSince: Date;
  /** Of the first-level partner with the most group points; 0 without one. */
  largestLegPoints: number;
};

export const standingOf = (db: Db, partnerId: string): Promise<Standing | null> =>
  firstRow<Standing>(
    db,
    `SELECT s.rank_level, s.rank_limit, s.highest_rank_level, s.highest_rank_at, s.personal_points, s.group_points,
       coalesce((SELECT changed_at FROM partner_rank_changes WHERE partner_id = s.partner_id
         ORDER BY number DESC LIMIT 1), p.joined_at) AS rank_since,
       coalesce((SELECT max(l.group_points) FROM partner_standings l WHERE l.sponsor_id = s.partner_id), 0)::bigint
         AS largest_leg_points
     FROM partner_standings s JOIN partners p ON p.id = s.partner_id WHERE s.partner_id = $1`,
    [partnerId],
  );

/** The number of a partner's legs in which somebody has this rank or a higher one. */
export async function rankedLegs(db: Db, partnerId: string, level: number): Promise<number> {
  const row = await firstRow<{ count: number }>(
    db,
    `SELECT count(*)::int AS count FROM partner_standings WHERE sponsor_id = $1 AND network_rank_level >= $2`,
    [partnerId, level],
  );
  return row?.count ?? 0;
}

/** A change of rank: the rank that it brought, and the bonus for the ranks that it reached first, in minor units. */
export type ListedRankChange = Pick<Attributes<RankChange>, 'id' | 'toLevel' | 'changedAt' | 'reason'> & {
  toCode: string;
  toName: string;
  bonusMinor: number;
};

/** The bonus that the change `h` brought: for the ranks up to its own that no change by points before it reached. */
const BONUS = `coalesce((SELECT sum(c.net_minor) FROM partner_commissions c
  WHERE h.changed_by IS NULL AND c.partner_id = h.partner_id AND c.type = 8 AND c.source_id = h.partner_id
    AND c.status <> 'REVERSED'
    AND c.level > h.from_level AND c.level <= h.to_level AND NOT EXISTS (SELECT 1 FROM partner_rank_changes e
      WHERE e.partner_id = h.partner_id AND e.number < h.number AND e.changed_by IS NULL
        AND e.to_level >= c.level)), 0)::bigint`;

/** One page of a partner's changes of rank, the newest first, and the number of all. */
export async function rankChanges(
  db: Db,
  partnerId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; changes: ListedRankChange[] }> {
  const changes = await rows<ListedRankChange>(
    db,
    `SELECT h.id, h.to_level, h.changed_at, h.reason, t.code AS to_code, t.name AS to_name, ${BONUS} AS bonus_minor
     FROM partner_rank_changes h
       JOIN partner_ranks t ON t.programme_version = h.programme_version AND t.level = h.to_level
     WHERE h.partner_id = $1 ORDER BY h.number DESC LIMIT $2 OFFSET $3`,
    [partnerId, limit, offset],
  );
  const all = await firstRow<{ total: number }>(
    db,
    'SELECT count(*)::int AS total FROM partner_rank_changes WHERE partner_id = $1',
    [partnerId],
  );
  return { total: all?.total ?? 0, changes };
}
