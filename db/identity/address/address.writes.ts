import { execute, type Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { Address } from './address.model';
import type { SavedAddress } from './address.reads';

export type NewAddress = Omit<SavedAddress, 'createdAt' | 'updatedAt'> & { userId: string };

/** The fields of an address that may be changed; what is left out stays. */
export type AddressChanges = Partial<Omit<SavedAddress, 'id' | 'createdAt' | 'updatedAt'>>;

/** Locks the user's addresses against other changes: two new defaults at once must not both become the default. */
export async function lockAddresses(tx: Tx, userId: string): Promise<void> {
  await execute(tx, 'SELECT 1 FROM users WHERE id = $1 FOR NO KEY UPDATE', [userId]);
}

export async function insertAddress(tx: Tx, address: NewAddress): Promise<void> {
  await execute(
    tx,
    `INSERT INTO addresses (id, user_id, label, is_default, recipient_name, street, city, region, country,
                            postal_code, phone, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, now(), now())`,
    [
      address.id,
      address.userId,
      address.label,
      address.isDefault,
      address.recipientName,
      address.street,
      address.city,
      address.region,
      address.country,
      address.postalCode,
      address.phone,
    ],
  );
}

/** Replaces every field of an address that its owner may change. */
export async function updateAddress(tx: Tx, userId: string, address: SavedAddress): Promise<void> {
  await execute(
    tx,
    `UPDATE addresses SET label = $3, is_default = $4, recipient_name = $5, street = $6, city = $7, region = $8,
            country = $9, postal_code = $10, phone = $11, updated_at = now()
      WHERE id = $1 AND user_id = $2`,
    [
      address.id,
      userId,
      address.label,
      address.isDefault,
      address.recipientName,
      address.street,
      address.city,
      address.region,
      address.country,
      address.postalCode,
      address.phone,
    ],
  );
}

/** Removes a user's address; false if there is none of that id. */
export async function deleteAddress(tx: Tx, userId: string, id: string): Promise<boolean> {
  return (await table(tx, Address).remove({ id, userId })) > 0;
}

/** Leaves the user without a default address. */
export async function clearDefault(tx: Tx, userId: string): Promise<void> {
  await execute(
    tx,
    'UPDATE addresses SET is_default = false, updated_at = now() WHERE user_id = $1 AND is_default',
    [userId],
  );
}

/** Makes the newest address the default if there is no default. */
export async function ensureDefault(tx: Tx, userId: string): Promise<void> {
  await execute(
    tx,
    `UPDATE addresses SET is_default = true, updated_at = now()
      WHERE id = (SELECT id FROM addresses WHERE user_id = $1 ORDER BY created_at DESC, id DESC LIMIT 1)
        AND NOT EXISTS (SELECT 1 FROM addresses WHERE user_id = $1 AND is_default)`,
    [userId],
  );
}
