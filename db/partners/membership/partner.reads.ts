import type { Attributes } from 'sequelize';
import { firstRow, type Db } from '../../sql/query';
import { table } from '../../sql/table';
import { Partner } from './partner.model';

/** The ACTIVE partner of a referral code (upper case), who may refer new people; else null. */
export function partnerByCode(
  db: Db,
  referralCode: string,
): Promise<Pick<Attributes<Partner>, 'id' | 'userId'> | null> {
  return table(db, Partner).one(['id', 'userId'], { referralCode, status: 'ACTIVE' });
}

/** A membership, and the entrance fee that paid for it, if there was one. */
export type Membership = Pick<Attributes<Partner>, 'id' | 'referralCode' | 'status'> & {
  entranceId: string | null;
};

/** The membership of a user; null when they never joined. */
export const partnerOfUser = (db: Db, userId: string): Promise<Membership | null> =>
  firstRow<Membership>(
    db,
    `SELECT p.id, p.referral_code, p.status, f.id AS entrance_id
     FROM partners p LEFT JOIN partner_entrances f ON f.partner_id = p.id WHERE p.user_id = $1`,
    [userId],
  );
