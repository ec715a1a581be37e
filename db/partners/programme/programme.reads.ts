import type { Attributes } from 'sequelize';
import { firstRow, type Db } from '../../sql/query';
import type { PartnerProgramme } from './partner-programme.model';
import type { PartnerRank } from './partner-rank.model';

/** A version of the programme with its ranks, from the lowest. */
export type Programme = Attributes<PartnerProgramme> & {
  ranks: Pick<
    Attributes<PartnerRank>,
    | 'level'
    | 'teamRateBp'
    | 'profitRateBp'
    | 'personalPoints'
    | 'groupPoints'
    | 'legs'
    | 'legLevel'
    | 'bonusMinor'
  >[];
};

const RANKS = `(SELECT json_agg(json_build_object('level', r.level, 'teamRateBp', r.team_rate_bp,
    'profitRateBp', r.profit_rate_bp, 'personalPoints', r.personal_points, 'groupPoints', r.group_points,
    'legs', r.legs, 'legLevel', r.leg_level, 'bonusMinor', r.bonus_minor) ORDER BY r.level)
  FROM partner_ranks r WHERE r.programme_version = p.version) AS ranks`;

/** The version that was in force at a time. */
export async function programmeAt(db: Db, at: Date): Promise<Programme> {
  const programme = await firstRow<Programme>(
    db,
    `SELECT p.*, ${RANKS} FROM partner_programmes p WHERE p.valid_from <= $1 ORDER BY p.valid_from DESC LIMIT 1`,
    [at],
  );
  if (!programme) throw new Error(`No version of the partner programme was in force at ${at.toISOString()}.`);
  return programme;
}
