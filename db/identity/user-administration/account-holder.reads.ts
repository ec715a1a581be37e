import type { Attributes } from 'sequelize';
import type { Db } from '../../sql/query';
import { table } from '../../sql/table';
import { User } from '../user/user.model';

/** The user of an order or a participation, as administrators see them with it. */
export type AccountHolder = Pick<
  Attributes<User>,
  'id' | 'email' | 'firstName' | 'lastName' | 'phone' | 'status'
>;

/** The user with this id, whose row stays even when the account is erased. */
export async function accountHolder(db: Db, userId: string): Promise<AccountHolder> {
  const found = await table(db, User).one(['id', 'email', 'firstName', 'lastName', 'phone', 'status'], {
    id: userId,
  });
  if (!found) throw new Error(`There is no user ${userId}.`);
  return found;
}
