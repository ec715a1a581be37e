import type { Attributes } from 'sequelize';
import { firstRow, type Db } from '../../sql/query';
import type { TwoFactorMethod } from '../second-factor/second-factor.reads';
import type { User } from './user.model';

type ProfileColumns =
  | 'firstName'
  | 'lastName'
  | 'middleName'
  | 'dateOfBirth'
  | 'avatarUrl'
  | 'countryCode'
  | 'city'
  | 'postalCode'
  | 'addressLine1'
  | 'language'
  | 'timezone'
  | 'currency';

/** The personal fields of an account. `region` is a part of the country: `home_region` in the table. */
export type Profile = Pick<Attributes<User>, ProfileColumns> & { region: string | null };

type AccountColumns =
  | 'id'
  | 'email'
  | 'phone'
  | 'status'
  | 'region'
  | 'roles'
  | 'kycStatus'
  | 'kycLevel'
  | 'payoutMethod'
  | 'payoutMasked'
  | 'createdAt';

/** An account as its owner may see it, without hashes and secrets. */
export type Account = Pick<Attributes<User>, AccountColumns> & {
  profile: Profile;
  partner: { id: string; referralCode: string; status: string } | null;
  /** Null if the password is enough. */
  twoFactorMethod: TwoFactorMethod | null;
};

const PROFILE = `json_build_object('firstName', u.first_name, 'lastName', u.last_name, 'middleName', u.middle_name,
  'dateOfBirth', u.date_of_birth, 'avatarUrl', u.avatar_url, 'countryCode', u.country_code, 'region', u.home_region,
  'city', u.city, 'postalCode', u.postal_code, 'addressLine1', u.address_line1, 'language', u.language,
  'timezone', u.timezone, 'currency', u.currency)`;

/** The account; null if it is gone. */
export function accountOf(db: Db, userId: string): Promise<Account | null> {
  return firstRow<Account>(
    db,
    `SELECT u.id, u.email, u.phone, u.status, u.region, ${PROFILE} AS profile, u.roles, u.kyc_status,
            u.kyc_level,
            (SELECT json_build_object('id', p.id, 'referralCode', p.referral_code, 'status', p.status)
               FROM partners p WHERE p.user_id = u.id) AS partner,
            (SELECT f.method FROM second_factors f
              WHERE f.user_id = u.id AND f.enabled_at IS NOT NULL) AS two_factor_method,
            u.payout_method, u.payout_masked, u.created_at
       FROM users u WHERE u.id = $1`,
    [userId],
  );
}
