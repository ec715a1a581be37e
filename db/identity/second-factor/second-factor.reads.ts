import type { Attributes } from 'sequelize';
import type { TwoFactorMethod } from '../../../workflows/identity/second-factor/second-factor.rules';
import type { Db } from '../../sql/query';
import { table } from '../../sql/table';
import { SecondFactor as SecondFactorModel } from './second-factor.model';

export type { TwoFactorMethod };

/** A second factor, in force or only set up. A secret is sealed for `totp:<user id>`. */
export type SecondFactor = Pick<Attributes<SecondFactorModel>, 'method' | 'secretSealed'> & {
  isEnabled: boolean;
};

/** The user's second factor, also one that was set up and never verified; null if there is none. */
export async function secondFactorOf(db: Db, userId: string): Promise<SecondFactor | null> {
  const factor = await table(db, SecondFactorModel).one(['method', 'secretSealed', 'enabledAt'], { userId });
  if (!factor) return null;
  const { enabledAt, ...rest } = factor;
  return { ...rest, isEnabled: enabledAt !== null };
}

/** The method of the second factor in force; null if the password is enough. */
export async function twoFactorMethodOf(db: Db, userId: string): Promise<TwoFactorMethod | null> {
  const factor = await secondFactorOf(db, userId);
  return factor?.isEnabled ? factor.method : null;
}
