import type { Attributes } from 'sequelize';
import { rows, type Db } from '../../sql/query';
import { table } from '../../sql/table';
import { Address } from './address.model';

/** An address as its owner sees it. */
export type SavedAddress = Omit<Attributes<Address>, 'userId'>;

const COLUMNS = [
  'id',
  'label',
  'isDefault',
  'recipientName',
  'street',
  'city',
  'region',
  'country',
  'postalCode',
  'phone',
  'createdAt',
  'updatedAt',
] as const satisfies readonly (keyof SavedAddress)[];

/** A user's addresses, newest first. Every checkout asks for them. */
export const addressesOf = (db: Db, userId: string): Promise<SavedAddress[]> =>
  rows<SavedAddress>(
    db,
    `SELECT id, label, is_default, recipient_name, street, city, region, country, postal_code, phone,
       created_at, updated_at
     FROM addresses WHERE user_id = $1 ORDER BY created_at DESC, id DESC`,
    [userId],
  );

/** One address of this user; null for the address of another. */
export const addressOf = (db: Db, userId: string, id: string): Promise<SavedAddress | null> =>
  table(db, Address).one(COLUMNS, { id, userId });

/** The number of a user's addresses. */
export const countAddresses = (db: Db, userId: string): Promise<number> =>
  table(db, Address).count({ userId });
