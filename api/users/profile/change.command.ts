import { changeProfile, type ProfileChanges } from '../../../db/identity/user/account.writes';
import { removeAvatar } from '../../../db/identity/user/avatar.writes';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { businessRefusal } from '../../../workflows/errors';

/** The fields that were compared with an identity document. */
const VERIFIED = ['firstName', 'lastName', 'middleName', 'dateOfBirth'] as const;

/**
 * Changes a user's profile; returns the blobs to remove after the commit. Refuses with VALIDATION_ERROR a change of
 * fields that an approved identity document has verified.
 */
export function changeOwnProfile(
  db: Db,
  userId: string,
  changes: ProfileChanges,
  { withoutAvatar }: { withoutAvatar: boolean },
): Promise<string[]> {
  const touched = VERIFIED.filter((field) => changes[field] !== undefined);
  return inTransaction(db, async (tx) => {
    // Chosen: they would no longer be those of the document. Before that they may be put right (INFO_MISMATCH).
    if (!(await changeProfile(tx, userId, changes, { onlyUnverified: touched.length > 0 })))
      throw businessRefusal(
        'FIELD_VERIFIED',
        'Fields that were verified with an identity document cannot be changed.',
        Object.fromEntries(touched.map((field) => [field, ['is verified and cannot be changed']])),
      );
    return withoutAvatar ? removeAvatar(tx, userId) : [];
  });
}
