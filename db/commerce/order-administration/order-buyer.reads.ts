import type { Attributes } from 'sequelize';
import type { Db } from '../../sql/query';
import { table } from '../../sql/table';
import { User } from '../../identity/user/user.model';

/** The buyer of an order, as administrators see them with it. */
export type OrderBuyer = Pick<
  Attributes<User>,
  'id' | 'email' | 'firstName' | 'lastName' | 'phone' | 'status'
>;

/** The buyer with this id, whose row stays even when the account is erased. */
export async function orderBuyer(db: Db, userId: string): Promise<OrderBuyer> {
  const found = await table(db, User).one(['id', 'email', 'firstName', 'lastName', 'phone', 'status'], {
    id: userId,
  });
  if (!found) throw new Error(`There is no user ${userId}.`);
  return found;
}
