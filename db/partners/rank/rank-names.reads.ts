import type { Attributes } from 'sequelize';
import { rows, type Db } from '../../sql/query';
import type { PartnerRank } from '../programme/partner-rank.model';

/** The ranks of the version of the programme that is in force at a time, lowest first. */
export const ranksAt = (
  db: Db,
  at: Date,
): Promise<Pick<Attributes<PartnerRank>, 'programmeVersion' | 'level' | 'code' | 'name'>[]> =>
  rows(
    db,
    `SELECT programme_version, level, code, name FROM partner_ranks
     WHERE programme_version = (
       SELECT version FROM partner_programmes WHERE valid_from <= $1 ORDER BY valid_from DESC LIMIT 1)
     ORDER BY level`,
    [at],
  );
