import type { SavedAddress } from '../../../db/identity/address/address.reads';
import {
  clearDefault,
  lockAddresses,
  updateAddress,
  type AddressChanges,
} from '../../../db/identity/address/address.writes';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { isPostalCode } from '../../../workflows/commerce/shipping/postal-code.rules';
import { NO_POSTAL_CODE } from '../../http/request/postal-code';
import { invalid } from '../../http/validation/validation';
import { ownAddress } from './own-address';

/**
 * Changes a user's address. A new default replaces the old; a default stays one until another takes its place. Refuses
 * with ADDRESS_NOT_FOUND, VALIDATION_ERROR (`postalCode`).
 */
export function changeAddress(
  db: Db,
  userId: string,
  id: string,
  changes: AddressChanges,
): Promise<SavedAddress> {
  return inTransaction(db, async (tx) => {
    await lockAddresses(tx, userId);
    const now = await ownAddress(tx, userId, id);
    const next = { ...now, ...changes, isDefault: now.isDefault || changes.isDefault === true };
    const isMoved = next.country !== now.country || next.postalCode !== now.postalCode;
    if (isMoved && !isPostalCode(next.country, next.postalCode))
      throw invalid({ postalCode: [NO_POSTAL_CODE] });
    if (next.isDefault && !now.isDefault) await clearDefault(tx, userId);
    await updateAddress(tx, userId, next);
    return ownAddress(tx, userId, id);
  });
}
