import { deleteAddress, ensureDefault, lockAddresses } from '../../../db/identity/address/address.writes';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { noSuchAddress } from './own-address';

/** Removes a user's address. After the default, the newest other becomes the default. Refuses with ADDRESS_NOT_FOUND. */
export async function removeAddress(db: Db, userId: string, id: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockAddresses(tx, userId);
    if (!(await deleteAddress(tx, userId, id))) throw noSuchAddress();
    await ensureDefault(tx, userId);
  });
}
