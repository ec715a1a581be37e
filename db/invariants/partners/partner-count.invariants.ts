import type { Invariant } from '../invariant';

/** The counts of the partners on the first level, by their sponsor. A fragment. */
const CHILDREN = `SELECT sponsor_id AS partner_id, sum(group_points) AS points, sum(group_volume_minor) AS volume,
    max(network_rank_level) AS rank FROM partner_standings WHERE sponsor_id IS NOT NULL GROUP BY sponsor_id`;

/**
 * Rules of what is counted over networks. A count over a network is compared with the partner's own and those of the first
 * level below: if that holds for all, every count is right, and no tree has to be walked.
 */
export const partnerCountInvariants: readonly Invariant[] = [
  {
    id: 'partner-standings.count-sales',
    says: "A partner's points and volume are the sums of the own sales, and with those of the first level, of the group.",
    sql: `SELECT s.partner_id AS entity, format('%s points of %s sold, group %s of %s; volume %s of %s, group %s of %s',
        s.personal_points, coalesce(o.points, 0), s.group_points, s.personal_points + coalesce(c.points, 0),
        s.personal_volume_minor, coalesce(o.volume, 0), s.group_volume_minor,
        s.personal_volume_minor + coalesce(c.volume, 0)) AS detail
      FROM partner_standings s
      LEFT JOIN (SELECT partner_id, sum(points) AS points, sum(base_minor) AS volume FROM partner_sales GROUP BY 1) o
        USING (partner_id)
      LEFT JOIN (${CHILDREN}) c USING (partner_id)
      WHERE (s.personal_points, s.personal_volume_minor, s.group_points, s.group_volume_minor)
        <> (coalesce(o.points, 0), coalesce(o.volume, 0), s.personal_points + coalesce(c.points, 0),
          s.personal_volume_minor + coalesce(c.volume, 0))`,
  },
  {
    id: 'partner-standings.count-earnings',
    says: 'What a partner has earned is the sum of the commissions that are not reversed, less what was taken back.',
    sql: `SELECT s.partner_id AS entity, format('%s of %s', s.earned_minor, coalesce(c.net, 0)) AS detail
      FROM partner_standings s
      LEFT JOIN (SELECT c.partner_id, sum(c.net_minor) AS net FROM partner_commissions c
        LEFT JOIN partner_commissions o ON o.id = c.reversal_of
        WHERE c.status <> 'REVERSED' AND coalesce(o.status, '') <> 'REVERSED' GROUP BY 1) c USING (partner_id)
      WHERE s.earned_minor <> coalesce(c.net, 0)`,
  },
  {
    id: 'partner-standings.count-networks',
    says: 'The size and depth of a network are those of its levels.',
    sql: `SELECT s.partner_id AS entity, format('%s partners of %s on %s levels of %s', s.network_size,
        coalesce(l.partners, 0), s.network_depth, coalesce(l.depth, 0)) AS detail
      FROM partner_standings s
      LEFT JOIN (SELECT partner_id, sum(partners) AS partners, max(level) FILTER (WHERE partners > 0) AS depth
        FROM partner_levels GROUP BY 1) l USING (partner_id)
      WHERE (s.network_size, s.network_depth) <> (coalesce(l.partners, 0), coalesce(l.depth, 0))`,
  },
  {
    id: 'partner-levels.add-up',
    says: 'A level of a network has the counted partners and volume of the level above it in the networks one level below.',
    sql: `WITH expected AS (
        SELECT sponsor_id AS partner_id, 1 AS level, count(counted_at) AS partners, sum(personal_volume_minor) AS volume
        FROM partner_standings WHERE sponsor_id IS NOT NULL GROUP BY 1
        UNION ALL
        SELECT s.sponsor_id, l.level + 1, sum(l.partners), sum(l.volume_minor)
        FROM partner_levels l JOIN partner_standings s USING (partner_id) WHERE s.sponsor_id IS NOT NULL GROUP BY 1, 2
      )
      SELECT partner_id AS entity, string_agg(format('level %s: %s of %s partners, volume %s of %s', level,
        coalesce(l.partners, 0), coalesce(e.partners, 0), coalesce(l.volume_minor, 0), coalesce(e.volume, 0)), '; ') AS detail
      FROM partner_levels l FULL JOIN expected e USING (partner_id, level)
      WHERE (coalesce(l.partners, 0), coalesce(l.volume_minor, 0)) <> (coalesce(e.partners, 0), coalesce(e.volume, 0))
      GROUP BY partner_id`,
  },
  {
    id: 'partner-months.add-up',
    says: "A partner's month (UTC) has the points and volume of the own sales, and with those of the first level, of the group.",
    sql: `WITH own AS (
        SELECT partner_id, date_trunc('month', occurred_at AT TIME ZONE 'UTC')::date AS month, sum(points) AS points,
          sum(base_minor) AS volume FROM partner_sales WHERE partner_id IS NOT NULL GROUP BY 1, 2
      ), below AS (
        SELECT s.sponsor_id AS partner_id, m.month, sum(m.group_points) AS points, sum(m.group_volume_minor) AS volume
        FROM partner_months m JOIN partner_standings s USING (partner_id) WHERE s.sponsor_id IS NOT NULL GROUP BY 1, 2
      )
      SELECT partner_id AS entity, string_agg(format('%s: %s points, volume %s, group %s and %s', month,
        coalesce(m.personal_points, 0), coalesce(m.personal_volume_minor, 0), coalesce(m.group_points, 0),
        coalesce(m.group_volume_minor, 0)), '; ') AS detail
      FROM partner_months m FULL JOIN own USING (partner_id, month) FULL JOIN below USING (partner_id, month)
      WHERE (coalesce(m.personal_points, 0), coalesce(m.personal_volume_minor, 0),
          coalesce(m.group_points, 0), coalesce(m.group_volume_minor, 0))
        <> (coalesce(own.points, 0), coalesce(own.volume, 0),
          coalesce(own.points, 0) + coalesce(below.points, 0), coalesce(own.volume, 0) + coalesce(below.volume, 0))
      GROUP BY partner_id`,
  },
  {
    id: 'partner-ranks.are-the-highest-below',
    says: "The rank of a network is the highest of its partner's and of the networks on the first level.",
    sql: `SELECT s.partner_id AS entity, format('%s of %s', s.network_rank_level, greatest(s.rank_level, c.rank)) AS detail
      FROM partner_standings s LEFT JOIN (${CHILDREN}) c USING (partner_id)
      WHERE s.network_rank_level <> greatest(s.rank_level, c.rank)`,
  },
  {
    id: 'partner-ranks.have-their-history',
    says: 'The rank of a partner is the last of its history, and the highest rank the highest there.',
    sql: `SELECT s.partner_id AS entity, format('rank %s of %s, highest %s of %s', s.rank_level, coalesce(h.last, 1),
        s.highest_rank_level, greatest(h.highest, 1)) AS detail
      FROM partner_standings s
      LEFT JOIN (SELECT partner_id, (array_agg(to_level ORDER BY number DESC))[1] AS last,
          max(to_level) AS highest FROM partner_rank_changes GROUP BY 1) h USING (partner_id)
      WHERE (s.rank_level, s.highest_rank_level) <> (coalesce(h.last, 1), greatest(h.highest, 1))`,
  },
];
