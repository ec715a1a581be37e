import {
  lockCollected,
  type CollectedTransfer,
} from '../../../../db/commerce/bank-file/bank-file-transfer.writes';
import { openDestination } from '../../../../db/commerce/payout/destination';
import { Unsealable } from '../../../../db/sealing/cipher';
import type { KeyRing } from '../../../../db/sealing/key-ring';
import { keysOf } from '../../../../db/sealing/keys-of';
import { sealPurposes } from '../../../../db/sealing/purposes';
import type { Tx } from '../../../../db/sql/query';
import type { FiledTransfer } from '../credit-transfer-file';

/** The most transfers of one file; opening and writing them takes a fraction of a second. */
const MOST_TRANSFERS = 1_000;
/** The most searches for transfers that can be opened, of at most `MOST_TRANSFERS` each. */
const MOST_SEARCHES = 10;

/**
 * Locks and opens the oldest collected transfers of a currency, at most 1,000. Those that cannot be opened are passed over, at
 * most 10,000 of them, so that they do not hide the rest; `unreadable` has their ids.
 */
export async function openCollected(
  tx: Tx,
  currency: string,
): Promise<{ transfers: FiledTransfer[]; unreadable: string[] }> {
  const keys = keysOf(tx);
  const transfers: FiledTransfer[] = [];
  const unreadable: string[] = [];
  let after: string | null = null;
  for (let search = 0; search < MOST_SEARCHES && transfers.length < MOST_TRANSFERS; search++) {
    const limit = MOST_TRANSFERS - transfers.length;
    const found: CollectedTransfer[] = await lockCollected(tx, currency, { after, limit });
    for (const transfer of found) {
      const filed = filedOrNull(transfer, keys);
      if (filed === null) unreadable.push(transfer.id);
      else transfers.push(filed);
    }
    if (found.length < limit) break;
    after = found.at(-1)?.id ?? null;
  }
  return { transfers, unreadable };
}

/** A transfer as a file holds it; null when the key that sealed its destination is missing, or the bytes were changed. */
function filedOrNull(
  { id, amountMinor, destination: sealed }: CollectedTransfer,
  keys: KeyRing,
): FiledTransfer | null {
  try {
    const destination = openDestination(keys, sealPurposes.bankFileTransfer(id), sealed);
    if (destination.method !== 'BANK_TRANSFER' || destination.iban === undefined)
      throw new Error(`Transfer ${id} was collected without an IBAN.`);
    return { id, amountMinor, accountHolder: destination.accountHolder, iban: destination.iban };
  } catch (error) {
    if (error instanceof Unsealable) return null;
    throw error;
  }
}
