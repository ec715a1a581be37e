import type { Attributes } from 'sequelize';
import { firstRow, type Db } from '../../sql/query';
import type { Partner } from './partner.model';

export type NamedPartner = Pick<
  Attributes<Partner>,
  'id' | 'userId' | 'number' | 'referralCode' | 'status'
> & {
  name: string;
};

/** A partner by its own id or by its user's; null if there is none. */
export const namedPartner = (
  db: Db,
  by: { partnerId: string } | { userId: string },
): Promise<NamedPartner | null> =>
  firstRow<NamedPartner>(
    db,
    `SELECT p.id, p.user_id, p.number, p.referral_code, p.status, u.first_name || ' ' || u.last_name AS name
       FROM partners p JOIN users u ON u.id = p.user_id
      WHERE p.${'partnerId' in by ? 'id' : 'user_id'} = $1`,
    ['partnerId' in by ? by.partnerId : by.userId],
  );
