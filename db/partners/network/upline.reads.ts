import type { Attributes } from 'sequelize';
import type { Upline } from '../../../workflows/partners/commission/earning.rules';
import type { Partner } from '../membership/partner.model';
import { firstRow, rows, type Db } from '../../sql/query';

/** A partner above with its user, in whose accounts its commissions lie. */
export type PlacedUpline = Upline & Pick<Attributes<Partner>, 'userId'>;

/** A partner and all above, from it to the top. */
export function uplinesFrom(db: Db, partnerId: string): Promise<PlacedUpline[]> {
  return rows<PlacedUpline>(
    db,
    `SELECT a.id AS partner_id, a.user_id, a.status, s.rank_level
     FROM partners b
     JOIN partners a ON a.number = ANY (string_to_array(ltree2text(b.path), '.')::bigint[])
     JOIN partner_standings s ON s.partner_id = a.id
     WHERE b.id = $1 ORDER BY nlevel(a.path) DESC`,
    [partnerId],
  );
}

/** The partner that has referred a user, if any. */
export async function sponsorOf(db: Db, userId: string): Promise<string | null> {
  const user = await firstRow<{ sponsorId: string | null }>(
    db,
    'SELECT sponsor_id FROM users WHERE id = $1',
    [userId],
  );
  return user?.sponsorId ?? null;
}
