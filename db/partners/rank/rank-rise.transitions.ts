import { v7 } from 'uuid';
import type { RankCandidate, RankRise } from '../../../workflows/partners/rank/rank-rise.rules';
import { execute, rows, type Tx } from '../../sql/query';

/**
 * The ranks of partners and what those above depend on, in the order of the ids. Their standings are locked, so that what
 * others commit at the same time is seen here or there. Legs are counted up to the number that a rank requires; `> 1` lets
 * the index of the few who have a rank find them among many.
 */
export function rankCandidates(
  tx: Tx,
  partnerIds: readonly string[],
  programmeVersion: number,
): Promise<RankCandidate[]> {
  return rows<RankCandidate>(
    tx,
    `SELECT s.partner_id, p.status, s.rank_level, s.rank_limit, s.network_rank_level, s.personal_points, s.group_points,
       coalesce((SELECT c.group_points FROM partner_standings c WHERE c.sponsor_id = s.partner_id
         ORDER BY c.group_points DESC LIMIT 1), 0) AS largest_leg_points,
       coalesce((SELECT json_object_agg(r.level, CASE WHEN r.leg_level > 1
           THEN (SELECT count(*) FROM (SELECT FROM partner_standings c WHERE c.sponsor_id = s.partner_id
             AND c.network_rank_level > 1 AND c.network_rank_level >= r.leg_level LIMIT r.legs) AS leg)
           ELSE (SELECT count(*) FROM (SELECT FROM partner_standings c WHERE c.sponsor_id = s.partner_id
             LIMIT r.legs) AS leg) END)
         FROM partner_ranks r WHERE r.programme_version = $2 AND r.level > s.rank_level AND r.legs > 0), '{}') AS legs
     FROM unnest($1::uuid[]) WITH ORDINALITY AS asked (id, position)
     JOIN partner_standings s ON s.partner_id = asked.id
     JOIN partners p ON p.id = s.partner_id
     ORDER BY asked.position`,
    [partnerIds, programmeVersion],
  );
}

/** Writes ranks that were reached by points, with their history. The standings are locked. */
export async function writeRises(
  tx: Tx,
  rises: readonly RankRise[],
  { programmeVersion, at }: { programmeVersion: number; at: Date },
): Promise<void> {
  await execute(
    tx,
    `UPDATE partner_standings s SET rank_level = r.rank_level, network_rank_level = r.network_rank_level,
       highest_rank_at = CASE WHEN r.rank_level > s.highest_rank_level THEN $4 ELSE s.highest_rank_at END,
       highest_rank_level = greatest(s.highest_rank_level, r.rank_level)
     FROM unnest($1::uuid[], $2::smallint[], $3::smallint[]) AS r (partner_id, rank_level, network_rank_level)
     WHERE s.partner_id = r.partner_id`,
    [
      rises.map(({ partnerId }) => partnerId),
      rises.map(({ rankLevel }) => rankLevel),
      rises.map(({ networkRankLevel }) => networkRankLevel),
      at,
    ],
  );
  const steps = rises.flatMap(({ partnerId, reached, from }) =>
    reached.map((to, index) => ({ partnerId, from: reached[index - 1] ?? from, to })),
  );
  if (steps.length === 0) return;
  await execute(
    tx,
    `INSERT INTO partner_rank_changes (id, partner_id, programme_version, from_level, to_level, changed_at)
     SELECT id, partner_id, $5, from_level, to_level, $6
     FROM unnest($1::uuid[], $2::uuid[], $3::smallint[], $4::smallint[]) WITH ORDINALITY
       AS c (id, partner_id, from_level, to_level, position)
     ORDER BY position`,
    [
      steps.map(() => v7()),
      steps.map(({ partnerId }) => partnerId),
      steps.map(({ from }) => from),
      steps.map(({ to }) => to),
      programmeVersion,
      at,
    ],
  );
}
