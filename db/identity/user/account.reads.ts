import { firstRow, type Db } from '../../sql/query';
import type { TwoFactorMethod } from '../second-factor/second-factor.reads';
import type { UserStatus } from './user.reads';

/** What a person says of themselves. */
export interface Profile {
  firstName: string;
  lastName: string;
  middleName: string | null;
  /** YYYY-MM-DD. */
  dateOfBirth: string | null;
  avatarUrl: string | null;
  countryCode: string | null;
  /** A part of the country. */
  region: string | null;
  city: string | null;
  postalCode: string | null;
  addressLine1: string | null;
  language: string | null;
  timezone: string | null;
  currency: string | null;
}

/** An account as its owner may see it: no hash and no secret is read here. */
export interface Account {
  id: string;
  email: string;
  phone: string | null;
  status: UserStatus;
  region: 'EU' | 'US' | 'APAC';
  profile: Profile;
  roles: string[];
  kycStatus: string;
  kycLevel: string;
  partner: { id: string; referralCode: string; status: string } | null;
  /** Null when the password is enough. */
  twoFactorMethod: TwoFactorMethod | null;
  payoutMethod: 'BANK_TRANSFER' | 'CARD' | 'EWALLET' | null;
  payoutMasked: string | null;
  createdAt: Date;
}

const PROFILE = `json_build_object('firstName', u.first_name, 'lastName', u.last_name, 'middleName', u.middle_name,
  'dateOfBirth', u.date_of_birth, 'avatarUrl', u.avatar_url, 'countryCode', u.country_code, 'region', u.home_region,
  'city', u.city, 'postalCode', u.postal_code, 'addressLine1', u.address_line1, 'language', u.language,
  'timezone', u.timezone, 'currency', u.currency)`;

/** The account; null when it is gone. */
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
