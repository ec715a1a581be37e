import { accountOf, type Profile } from '../../../db/identity/user/account.reads';
import { changeProfile, type ProfileChanges } from '../../../db/identity/user/account.writes';
import { removeAvatar } from '../../../db/identity/user/avatar.writes';
import type { Db, Tx } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { businessRefusal } from '../../../workflows/errors';
import { invalid } from '../../http/validation/validation';

/** The fields that were compared with an identity document. */
const VERIFIED = ['firstName', 'lastName', 'middleName', 'dateOfBirth'] as const;

/**
 * Changes a user's profile; returns the blobs to remove after the commit. An avatar of null is removed. Refuses with
 * VALIDATION_ERROR a change of fields that an approved identity document has verified, and another avatar.
 */
export function changeOwnProfile(
  db: Db,
  userId: string,
  { avatarUrl, ...changes }: Partial<Profile>,
): Promise<string[]> {
  return inTransaction(db, async (tx) => {
    if (!(await changeProfile(tx, userId, changes, VERIFIED)))
      throw await fieldsVerified(tx, userId, changes);
    if (avatarUrl === null) return removeAvatar(tx, userId);
    if (avatarUrl !== undefined && avatarUrl !== (await profileOf(tx, userId))?.avatarUrl)
      throw invalid({ avatarUrl: ['must be null or the present one'] });
    return [];
  });
}

const profileOf = async (tx: Tx, userId: string): Promise<Profile | undefined> =>
  (await accountOf(tx, userId))?.profile;

/**
 * The refusal of these changes. Chosen: names and birth would no longer be those of the document; before that they may be
 * put right (INFO_MISMATCH).
 */
async function fieldsVerified(tx: Tx, userId: string, changes: ProfileChanges): Promise<Error> {
  const profile = await profileOf(tx, userId);
  const differing = VERIFIED.filter(
    (field) => changes[field] !== undefined && changes[field] !== profile?.[field],
  );
  return businessRefusal(
    'FIELD_VERIFIED',
    'Fields that were verified with an identity document cannot be changed.',
    Object.fromEntries(differing.map((field) => [field, ['is verified and cannot be changed']])),
  );
}
