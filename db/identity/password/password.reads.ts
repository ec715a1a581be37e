import type { Attributes } from 'sequelize';
import type { Db } from '../../sql/query';
import { table } from '../../sql/table';
import { User } from '../user/user.model';
import { EarlierPassword } from './earlier-password.model';

/** The number of last passwords, including the current one, that may not be chosen again. */
export const REMEMBERED_PASSWORDS = 5;

const COLUMNS = ['id', 'region', 'email', 'firstName', 'lastName', 'passwordHash'] as const;

/** The data that a new password is checked against. */
export type PasswordOwner = Pick<Attributes<User>, (typeof COLUMNS)[number]> & {
  /** The passwords before, the latest first. */
  earlierHashes: string[];
};

/** The account with its last passwords; null if there is none. */
export async function passwordOwner(db: Db, userId: string): Promise<PasswordOwner | null> {
  const owner = await table(db, User).one(COLUMNS, { id: userId });
  if (!owner) return null;
  const earlier = await table(db, EarlierPassword).all(
    ['passwordHash'],
    { userId },
    {
      order: [
        ['replacedAt', 'DESC'],
        ['id', 'DESC'],
      ],
      limit: REMEMBERED_PASSWORDS - 1,
    },
  );
  return { ...owner, earlierHashes: earlier.map(({ passwordHash }) => passwordHash) };
}
