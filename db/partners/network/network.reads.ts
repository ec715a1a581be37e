import type { Attributes } from 'sequelize';
import { firstRow, rows, type Db } from '../../sql/query';
import type { User } from '../../identity/user/user.model';
import { MOST_COUNTED, rowsOfPage } from '../most-counted';
import { ACTIVE_REFERRALS, DIRECT_REFERRALS } from './partner-detail.reads';
import type { Partner } from '../membership/partner.model';
import { joinRank } from '../programme/rank-join';
import type { PartnerDescendant } from './partner-descendant.model';
import type { PartnerLevel } from './partner-level.model';
import type { PartnerStanding } from '../membership/partner-standing.model';

/** Levels below a partner that the lists reach. */
export const DEEPEST_LEVEL = 10;

/** The partner at the top of a network. */
export type NetworkHead = Pick<Attributes<Partner>, 'id' | 'number'>;

/** A partner below another one. */
export type NetworkMember = Pick<Attributes<Partner>, 'id' | 'referralCode' | 'status' | 'joinedAt'> &
  Pick<Attributes<User>, 'firstName' | 'lastName' | 'email'> &
  Pick<Attributes<PartnerStanding>, 'personalVolumeMinor'> &
  /** Level 1 are the partners whom the head referred. */
  Pick<Attributes<PartnerDescendant>, 'level'> & {
    rankName: string;
    rankCode: string;
    directReferrals: number;
  };

export type NetworkLevel = Pick<Attributes<PartnerLevel>, 'level' | 'partners' | 'volumeMinor'>;

export interface NetworkFigures {
  totalSize: number;
  activeReferrals: number;
  /** Of the partner's own customers and those of everybody below: this month (UTC), and ever. */
  periodVolumeMinor: number;
  totalVolumeMinor: number;
}

/**
 * One page of the first `MOST_COUNTED` partners at most so many levels below, by level, then in the order in which they joined. A
 * page beyond them is empty, and nothing is read for it.
 */
export async function networkPage(
  db: Db,
  { number }: NetworkHead,
  { depth, ...page }: { depth: number; limit: number; offset: number },
): Promise<{ total: number; members: NetworkMember[] }> {
  const counted = await firstRow<{ total: number }>(
    db,
    `SELECT count(*)::int AS total FROM (SELECT FROM partner_descendants WHERE ancestor_number = $1 AND level <= $2
       LIMIT ${MOST_COUNTED}) d`,
    [number, depth],
  );
  const limit = rowsOfPage(page);
  if (limit === 0) return { total: counted?.total ?? 0, members: [] };
  const members = await rows<NetworkMember>(
    db,
    `SELECT d.level, p.id, p.referral_code, p.status, p.joined_at, u.first_name, u.last_name, u.email,
            s.personal_volume_minor, r.name AS rank_name, r.code AS rank_code, ${DIRECT_REFERRALS} AS direct_referrals
       FROM (SELECT level, joined_at, partner_id FROM partner_descendants WHERE ancestor_number = $1 AND level <= $2
              ORDER BY level, joined_at, partner_id LIMIT $3 OFFSET $4) d
         JOIN partners p ON p.id = d.partner_id JOIN users u ON u.id = p.user_id
         JOIN partner_standings s ON s.partner_id = p.id ${joinRank('r', 's.rank_level')}
      ORDER BY d.level, d.joined_at, d.partner_id`,
    [number, depth, limit, page.offset],
  );
  return { total: counted?.total ?? 0, members };
}

/** The levels below a partner that have anybody, from the top, as the commission engine counted them. */
export const networkLevels = (db: Db, partnerId: string, depth: number | null): Promise<NetworkLevel[]> =>
  rows<NetworkLevel>(
    db,
    `SELECT level, partners, volume_minor FROM partner_levels
      WHERE partner_id = $1 AND partners > 0 AND level <= coalesce($2::int, level) ORDER BY level`,
    [partnerId, depth],
  );

/** The number of all partners below one, as the commission engine counted them. */
export async function networkSize(db: Db, partnerId: string): Promise<number> {
  const found = await firstRow<Pick<Attributes<PartnerStanding>, 'networkSize'>>(
    db,
    'SELECT network_size FROM partner_standings WHERE partner_id = $1',
    [partnerId],
  );
  if (!found) throw noStanding(partnerId);
  return found.networkSize;
}

const noStanding = (partnerId: string) => new Error(`The partner ${partnerId} has no standing.`);

/** The figures that are counted of a partner's network; reads the orders of all whom the partner referred. */
export async function networkFigures(db: Db, partnerId: string): Promise<NetworkFigures> {
  const found = await firstRow<NetworkFigures>(
    db,
    `SELECT s.network_size AS total_size, s.group_volume_minor AS total_volume_minor,
            ${ACTIVE_REFERRALS} AS active_referrals,
            coalesce((SELECT m.group_volume_minor FROM partner_months m WHERE m.partner_id = s.partner_id
               AND m.month = date_trunc('month', now() AT TIME ZONE 'UTC')::date), 0) AS period_volume_minor
       FROM partner_standings s JOIN partners p ON p.id = s.partner_id WHERE s.partner_id = $1`,
    [partnerId],
  );
  if (!found) throw noStanding(partnerId);
  return found;
}
