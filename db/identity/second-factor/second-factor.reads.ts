import { firstRow, type Db } from '../../sql/query';

export type TwoFactorMethod = 'TOTP' | 'SMS' | 'EMAIL';

/** A second factor, in force or only set up. */
export interface SecondFactor {
  method: TwoFactorMethod;
  /** Sealed for `totp:<user id>`; null unless the method is TOTP. */
  secretSealed: Buffer | null;
  isEnabled: boolean;
}

/** The user's second factor, also one that was set up and never verified; null when there is none. */
export async function secondFactorOf(db: Db, userId: string): Promise<SecondFactor | null> {
  return firstRow<SecondFactor>(
    db,
    `SELECT method, secret_sealed, enabled_at IS NOT NULL AS is_enabled
       FROM second_factors WHERE user_id = $1`,
    [userId],
  );
}

/** By which method the user signs in beside the password; null when the password is enough. */
export async function twoFactorMethodOf(db: Db, userId: string): Promise<TwoFactorMethod | null> {
  const factor = await secondFactorOf(db, userId);
  return factor?.isEnabled ? factor.method : null;
}
