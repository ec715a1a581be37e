import { removeBlobs } from '../../../db/blobs/discarded.writes';
import type { BlobStore } from '../../../db/blobs/port';
import { lockAccountToDelete } from '../../../db/identity/account-deletion/deletion.transitions';
import { eraseAccount } from '../../../db/identity/account-deletion/erasure.transitions';
import { openMatters } from '../../../db/identity/user/open-matters.reads';
import { lockPartnerOf } from '../../../db/partners/membership/membership.writes';
import type { Policy } from '../../../db/policy/config';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';

interface ErasingDeps {
  db: Db;
  blobs: BlobStore;
  policy: Pick<Policy, 'refundWindowDays'>;
}

/**
 * Erases a due account, then removes its blobs. WAITING: it has open matters. KEPT:
 * it is not due at `at`. Erased before: ERASED.
 */
export async function eraseDueAccount(
  { db, blobs, policy }: ErasingDeps,
  { userId, at: moment }: { userId: string; at: string },
): Promise<'ERASED' | 'WAITING' | 'KEPT'> {
  const at = new Date(moment);
  const erased = await inTransaction(db, async (tx) => {
    // Before the account, since the engine has the standing when it books in the name of the user.
    await lockPartnerOf(tx, userId);
    const account = await lockAccountToDelete(tx, userId);
    if (!account || account.erasedAt) return [];
    if (!account.deletionDueAt || account.deletionDueAt > at) return 'KEPT' as const;
    const matters = await openMatters(tx, userId, { at, returnWindowDays: policy.refundWindowDays });
    return matters.length > 0 ? ('WAITING' as const) : eraseAccount(tx, userId, at);
  });
  if (typeof erased === 'string') return erased;
  await removeBlobs(db, blobs, erased);
  return 'ERASED';
}
