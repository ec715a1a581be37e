import { addressOf, countAddresses, type SavedAddress } from '../../../db/identity/address/address.reads';
import {
  clearDefault,
  insertAddress,
  lockAddresses,
  type NewAddress,
} from '../../../db/identity/address/address.writes';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { businessRefusal } from '../../../workflows/errors';

/** Chosen: enough for a family and a company; without a limit, accounts could be used to fill the database. */
export const MOST_ADDRESSES = 20;

/**
 * Saves an address. The first becomes the default, and a new default replaces the old. An id that is saved already is
 * answered as it is. Refuses with VALIDATION_ERROR beyond `MOST_ADDRESSES`.
 */
export function addAddress(db: Db, address: NewAddress): Promise<SavedAddress> {
  return inTransaction(db, async (tx) => {
    await lockAddresses(tx, address.userId);
    const already = await addressOf(tx, address.userId, address.id);
    if (already) return already;
    const count = await countAddresses(tx, address.userId);
    if (count >= MOST_ADDRESSES)
      throw businessRefusal('TOO_MANY_ADDRESSES', `An account can have at most ${MOST_ADDRESSES} addresses.`);
    const isDefault = address.isDefault || count === 0;
    if (isDefault) await clearDefault(tx, address.userId);
    await insertAddress(tx, { ...address, isDefault });
    const saved = await addressOf(tx, address.userId, address.id);
    if (!saved) throw new Error(`The address ${address.id} was not saved.`);
    return saved;
  });
}
