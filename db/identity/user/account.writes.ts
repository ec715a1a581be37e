import { execute, type Db, type Tx } from '../../sql/query';
import type { Profile } from './account.reads';

/** What may be changed of a profile; what is left out stays, null empties. The picture has its own way. */
export type ProfileChanges = Partial<Omit<Profile, 'avatarUrl'>>;

/** The columns by the names that people know them under: nothing else can be written here. */
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

/** Changes a profile. With `onlyUnverified` false is answered, and nothing done, once an identity was verified. */
export async function changeProfile(
  db: Db,
  userId: string,
  changes: ProfileChanges,
  { onlyUnverified }: { onlyUnverified: boolean },
): Promise<boolean> {
  const given = FIELDS.filter((field) => changes[field] !== undefined);
  const sets = given.map((field, index) => `${COLUMNS[field]} = $${index + 3}, `).join('');
  const changed = await execute(
    db,
    `UPDATE users SET ${sets}updated_at = now()
      WHERE id = $1 AND (NOT $2::boolean OR kyc_level NOT IN ('STANDARD', 'ENHANCED'))`,
    [userId, onlyUnverified, ...given.map((field) => changes[field])],
  );
  return changed === 1;
}

/** Where a person's money goes: sealed for the purpose `payout:<user id>`, and masked for showing. */
export interface SealedPayoutDetails {
  method: 'BANK_TRANSFER' | 'CARD' | 'EWALLET';
  sealed: Buffer;
  masked: string;
}

/** Puts these details in the place of those before; null takes them away. */
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
