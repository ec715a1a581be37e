import type { Attributes } from 'sequelize';
import type { Db } from '../sql/query';
import { table } from '../sql/table';
import { Partner } from './partner.model';

/** The ACTIVE partner of a referral code (upper case), who may refer new people; else null. */
export function partnerByCode(
  db: Db,
  referralCode: string,
): Promise<Pick<Attributes<Partner>, 'id' | 'userId'> | null> {
  return table(db, Partner).one(['id', 'userId'], { referralCode, status: 'ACTIVE' });
}
