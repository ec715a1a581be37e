import type { Attributes } from 'sequelize';
import type { Db } from '../../sql/query';
import { table } from '../../sql/table';
import { User } from './user.model';

/** A user as the holder of an account that money is sent to, with the kind of the saved payout details. */
export type Payee = Pick<Attributes<User>, 'firstName' | 'lastName' | 'payoutMethod'>;

/** The user; null if the account is gone. */
export const payeeOf = (db: Db, userId: string): Promise<Payee | null> =>
  table(db, User).one(['firstName', 'lastName', 'payoutMethod'], { id: userId });

/** The saved payout details, sealed for the purpose `payout:<user id>`; null: there are none. */
export const payoutDetailsOf = async (db: Db, userId: string): Promise<Buffer | null> =>
  (await table(db, User).one(['payoutSealed'], { id: userId }))?.payoutSealed ?? null;
