import { firstRow, rows, type Db } from '../../sql/query';

export interface Address {
  id: string;
  label: string | null;
  isDefault: boolean;
  recipientName: string;
  street: string;
  city: string;
  region: string | null;
  /** ISO 3166-1 alpha-2, upper case. */
  country: string;
  postalCode: string;
  /** E.164. */
  phone: string | null;
  createdAt: Date;
  updatedAt: Date;
}

const COLUMNS = `id, label, is_default, recipient_name, street, city, region, country,
  postal_code, phone, created_at, updated_at`;

/** A user's addresses, newest first. */
export async function addressesOf(db: Db, userId: string): Promise<Address[]> {
  return rows<Address>(
    db,
    `SELECT ${COLUMNS} FROM addresses WHERE user_id = $1 ORDER BY created_at DESC, id DESC`,
    [userId],
  );
}

/** One address if it is this user's, else null: another's is as good as none. */
export async function addressOf(db: Db, userId: string, id: string): Promise<Address | null> {
  return firstRow<Address>(db, `SELECT ${COLUMNS} FROM addresses WHERE id = $1 AND user_id = $2`, [
    id,
    userId,
  ]);
}
