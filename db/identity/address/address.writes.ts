import { execute, firstRow, type Db, type Tx } from '../../sql/query';
import { inTransaction } from '../../sql/transaction';
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
    await takeTurn(tx, address.userId);
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
    if (isDefault) await dethrone(tx, address.userId);
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

/** What may be changed of an address; what is left out stays. */
export type AddressChanges = Partial<Omit<Address, 'id' | 'createdAt' | 'updatedAt'>>;

/**
 * Changes a user's address; null when there is none of that id. A new default takes the place of the old; the default
 * cannot be switched off, only passed on, so that somebody with addresses always has one.
 */
export async function changeAddress(
  db: Db,
  userId: string,
  id: string,
  changes: AddressChanges,
): Promise<Address | null> {
  return inTransaction(db, async (tx) => {
    await takeTurn(tx, userId);
    const now = await addressOf(tx, userId, id);
    if (!now) return null;
    const next = { ...now, ...changes, isDefault: now.isDefault || changes.isDefault === true };
    if (next.isDefault && !now.isDefault) await dethrone(tx, userId);
    await execute(
      tx,
      `UPDATE addresses SET label = $3, is_default = $4, recipient_name = $5, street = $6, city = $7, region = $8,
              country = $9, postal_code = $10, phone = $11, updated_at = now()
        WHERE id = $1 AND user_id = $2`,
      [
        id,
        userId,
        next.label,
        next.isDefault,
        next.recipientName,
        next.street,
        next.city,
        next.region,
        next.country,
        next.postalCode,
        next.phone,
      ],
    );
    return addressOf(tx, userId, id);
  });
}

/** Removes a user's address; false when there is none of that id. After the default the newest other is the default. */
export async function removeAddress(db: Db, userId: string, id: string): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    await takeTurn(tx, userId);
    const removed = await execute(tx, 'DELETE FROM addresses WHERE id = $1 AND user_id = $2', [id, userId]);
    if (removed === 0) return false;
    await execute(
      tx,
      `UPDATE addresses SET is_default = true, updated_at = now()
        WHERE id = (SELECT id FROM addresses WHERE user_id = $1 ORDER BY created_at DESC, id DESC LIMIT 1)
          AND NOT EXISTS (SELECT 1 FROM addresses WHERE user_id = $1 AND is_default)`,
      [userId],
    );
    return true;
  });
}

/** One at a time per user: two "first" addresses, or two new defaults, must not both become the default. */
async function takeTurn(tx: Tx, userId: string): Promise<void> {
  await execute(tx, 'SELECT 1 FROM users WHERE id = $1 FOR NO KEY UPDATE', [userId]);
}

async function dethrone(tx: Tx, userId: string): Promise<void> {
  await execute(
    tx,
    'UPDATE addresses SET is_default = false, updated_at = now() WHERE user_id = $1 AND is_default',
    [userId],
  );
}
