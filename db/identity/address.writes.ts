import { execute, firstRow, type Db } from '../sql';
import { inTransaction } from '../transaction';
import { addressOf, type Address } from './address.reads';

/** Chosen: enough for a family and an office; a list without end would serve nobody but those who fill disks. */
export const MOST_ADDRESSES = 20;

export type NewAddress = Omit<Address, 'createdAt' | 'updatedAt'> & { userId: string };

/**
 * Saves an address; null, with nothing done, when the user has as many as one may. The first becomes the default, and
 * a new default takes the place of the old. The same id saved again is answered with what is there.
 */
export async function addAddress(db: Db, address: NewAddress): Promise<Address | null> {
  return inTransaction(db, async (tx) => {
    // One at a time per user: two "first" addresses must not both become the default.
    await execute(tx, 'SELECT 1 FROM users WHERE id = $1 FOR NO KEY UPDATE', [address.userId]);
    const already = await addressOf(tx, address.userId, address.id);
    if (already) return already;
    const counted = await firstRow<{ saved: number }>(
      tx,
      'SELECT count(*)::int AS saved FROM addresses WHERE user_id = $1',
      [address.userId],
    );
    const saved = counted?.saved ?? 0;
    if (saved >= MOST_ADDRESSES) return null;
    const isDefault = address.isDefault || saved === 0;
    if (isDefault)
      await execute(
        tx,
        'UPDATE addresses SET is_default = false, updated_at = now() WHERE user_id = $1 AND is_default',
        [address.userId],
      );
    await insert(tx, { ...address, isDefault });
    return addressOf(tx, address.userId, address.id);
  });
}

async function insert(db: Db, address: NewAddress): Promise<void> {
  await execute(
    db,
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
