import type { PayoutMethod } from '../../../workflows/identity/user/user.rules';
import { execute, type Db, type Tx } from '../../sql/query';
import type { Profile } from './account.reads';

/** Changes of a profile; what is left out stays, null clears the field. The picture is changed in `avatar.writes`. */
export type ProfileChanges = Partial<Omit<Profile, 'avatarUrl'>>;

/** The columns by their names in the API; nothing else can be written here. */
const COLUMNS: Readonly<Record<keyof ProfileChanges, string>> = {
  firstName: 'first_name',
  lastName: 'last_name',
  middleName: 'middle_name',
  dateOfBirth: 'date_of_birth',
  countryCode: 'country_code',
  region: 'home_region',
  city: 'city',
  postalCode: 'postal_code',
  addressLine1: 'address_line1',
  language: 'language',
  timezone: 'timezone',
  currency: 'currency',
};
const FIELDS = Object.keys(COLUMNS) as (keyof ProfileChanges)[];

/** Changes a profile. Changes nothing and returns false if one of `verified` would differ once the identity is verified. */
export async function changeProfile(
  db: Db,
  userId: string,
  changes: ProfileChanges,
  verified: readonly (keyof ProfileChanges)[],
): Promise<boolean> {
  const changed = FIELDS.filter((field) => changes[field] !== undefined);
  const places = changed.map((field, index) => ({ field, column: COLUMNS[field], place: `$${index + 2}` }));
  const sets = places.map(({ column, place }) => `${column} = ${place}, `).join('');
  const same = places
    .filter(({ field }) => verified.includes(field))
    .map(({ column, place }) => `${column} IS NOT DISTINCT FROM ${place}`);
  const updated = await execute(
    db,
    `UPDATE users SET ${sets}updated_at = now()
      WHERE id = $1 AND (kyc_level NOT IN ('STANDARD', 'ENHANCED') OR (${['true', ...same].join(' AND ')}))`,
    [userId, ...changed.map((field) => changes[field])],
  );
  return updated === 1;
}

/** The destination of a user's payouts: sealed for the purpose `payout:<user id>`, and masked for display. */
export interface SealedPayoutDetails {
  method: PayoutMethod;
  sealed: Buffer;
  masked: string;
}

/** Replaces the payout details of a user; null removes them. */
export async function changePayoutDetails(
  tx: Tx,
  userId: string,
  details: SealedPayoutDetails | null,
): Promise<void> {
  await execute(
    tx,
    `UPDATE users SET payout_method = $2, payout_sealed = $3, payout_masked = $4,
            payout_changed_at = CASE WHEN $2::text IS NULL THEN NULL ELSE now() END, updated_at = now()
      WHERE id = $1`,
    [userId, details?.method ?? null, details?.sealed ?? null, details?.masked ?? null],
  );
}
