import type { Attributes } from 'sequelize';
import { User } from '../../identity/user/user.model';
import type { Tx } from '../../sql/query';
import { table } from '../../sql/table';

/** Sets the status and level of a locked user. */
export async function setUserStanding(
  tx: Tx,
  userId: string,
  standing: Partial<Pick<Attributes<User>, 'kycStatus' | 'kycLevel'>>,
  at: Date,
): Promise<void> {
  await table(tx, User).update({ ...standing, updatedAt: at }, { id: userId });
}

/** The address of a user, such as a reviewer; null if the account is erased. */
export async function emailOf(tx: Tx, userId: string): Promise<string | null> {
  return (await table(tx, User).one(['email'], { id: userId, erasedAt: null }))?.email ?? null;
}
