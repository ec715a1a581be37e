import type { Attributes } from 'sequelize';
import type { PartnerStatus } from '../../../workflows/partners/membership/partner.states';
import { firstRow, rows, type Db } from '../../sql/query';
import { anywhere, contains, startingWith } from '../../sql/text/search';
import { SEARCHED_USER } from '../../identity/user-administration/searched-user';
import { MOST_COUNTED, rowsOfPage } from '../most-counted';
import type { PartnerStanding } from '../membership/partner-standing.model';
import { joinRank } from '../programme/rank-join';
import { DIRECT_REFERRALS, PARTNER_BALANCE, WITHDRAWN } from './partner-detail.reads';
import type { Partner } from '../membership/partner.model';

/** Conditions on partners; one that is left out does not narrow. */
export interface PartnerFilter {
  status?: PartnerStatus | undefined;
  /** The code of a rank. */
  rank?: string | undefined;
  /** The beginning of the referral code; or a part of the name, e-mail address or phone number. */
  search?: string | undefined;
}

export type PartnerSort = 'createdAt' | 'totalEarned' | 'networkSize';

export interface PartnerPage {
  sortBy: PartnerSort;
  sortOrder: 'asc' | 'desc';
  limit: number;
  offset: number;
  currency: string;
}

/** A partner as lists show one. Money is in minor units of the platform's currency. */
export type ListedPartner = Pick<
  Attributes<Partner>,
  'id' | 'userId' | 'referralCode' | 'status' | 'joinedAt'
> &
  Pick<Attributes<PartnerStanding>, 'networkSize' | 'earnedMinor'> & {
    email: string;
    name: string;
    rankName: string;
    rankCode: string;
    sponsor: { id: string; name: string } | null;
    directReferrals: number;
    withdrawnMinor: number;
    availableMinor: number;
    pendingMinor: number;
  };

/** Each order is that of an index, read forwards or backwards. */
const SORTS: Record<PartnerSort, readonly string[]> = {
  createdAt: ['p.joined_at', 'p.id'],
  totalEarned: ['s.earned_minor', 's.partner_id'],
  networkSize: ['s.network_size', 's.partner_id'],
};

const PARTNERS = 'partners p LEFT JOIN partner_standings s ON s.partner_id = p.id';
/** The table of the order comes first; the other one is read only if a condition is on it. */
const TABLES: Record<PartnerSort, string> = {
  createdAt: PARTNERS,
  totalEarned: 'partner_standings s LEFT JOIN partners p ON p.id = s.partner_id',
  networkSize: 'partner_standings s LEFT JOIN partners p ON p.id = s.partner_id',
};

/**
 * One page of the first `MOST_COUNTED` partners that fit, and the number of those. A page beyond them is empty, and nothing is read
 * for it.
 */
export async function listedPartners(
  db: Db,
  filter: PartnerFilter,
  { sortBy, sortOrder, currency, ...page }: PartnerPage,
): Promise<{ total: number; partners: ListedPartner[] }> {
  const values: unknown[] = [];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const where = conditions(filter, bind);
  const counted = await firstRow<{ total: number }>(
    db,
    `SELECT count(*)::int AS total FROM (SELECT FROM ${PARTNERS} WHERE ${where} LIMIT ${MOST_COUNTED}) listed`,
    values,
  );
  const total = counted?.total ?? 0;
  const limit = rowsOfPage(page);
  if (limit === 0) return { total, partners: [] };
  const direction = sortOrder === 'asc' ? 'ASC' : 'DESC';
  const [first = '', second = ''] = SORTS[sortBy];
  const listed = await rows<{ id: string }>(
    db,
    `SELECT ${second} AS id FROM ${TABLES[sortBy]} WHERE ${where}
      ORDER BY ${first} ${direction}, ${second} ${direction} LIMIT ${bind(limit)} OFFSET ${bind(page.offset)}`,
    values,
  );
  const partners = await rows<ListedPartner>(db, SHOWN, [listed.map(({ id }) => id), currency]);
  return { total, partners };
}

const SHOWN = `
  SELECT p.id, p.user_id, p.referral_code, p.status, p.joined_at, u.email, u.first_name || ' ' || u.last_name AS name,
         r.name AS rank_name, r.code AS rank_code, s.network_size, s.earned_minor,
         (SELECT json_build_object('id', sp.id, 'name', su.first_name || ' ' || su.last_name)
            FROM partners sp JOIN users su ON su.id = sp.user_id WHERE sp.id = p.sponsor_id) AS sponsor,
         ${DIRECT_REFERRALS} AS direct_referrals, ${WITHDRAWN} AS withdrawn_minor,
         ${PARTNER_BALANCE('partner_available')} AS available_minor,
         ${PARTNER_BALANCE('partner_pending')} AS pending_minor
    FROM unnest($1::uuid[]) WITH ORDINALITY AS listed (id, place) JOIN partners p ON p.id = listed.id
      JOIN users u ON u.id = p.user_id JOIN partner_standings s ON s.partner_id = p.id
      ${joinRank('r', 's.rank_level')} ORDER BY listed.place`;

/** Each part of a search reads an index of its own. */
function conditions({ status, rank, search }: PartnerFilter, bind: (value: unknown) => string): string {
  const all = ['true'];
  if (status !== undefined) all.push(`p.status = ${bind(status)}`);
  if (rank !== undefined)
    all.push(`s.rank_level = ANY (SELECT level FROM partner_ranks WHERE code = ${bind(rank)})`);
  if (search) {
    const part = bind(anywhere(search));
    all.push(`p.id IN (
      SELECT f.id FROM partners f WHERE f.referral_code LIKE ${bind(startingWith(search.toUpperCase()))}
      UNION SELECT f.id FROM partners f JOIN users u ON u.id = f.user_id
        WHERE ${contains(SEARCHED_USER, part)})`);
  }
  return all.join(' AND ');
}
