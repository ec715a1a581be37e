import type { StoredPicture } from '../../../db/identity/media/media.writes';
import { removeAvatar, setAvatar } from '../../../db/identity/user/avatar.writes';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';

/** Replaces a user's avatar by these pictures, shown as `avatarUrl`; returns the blobs to remove after the commit. */
export const replaceAvatar = (
  db: Db,
  userId: string,
  pictures: readonly StoredPicture[],
  avatarUrl: string,
): Promise<string[]> =>
  inTransaction(db, async (tx) => {
    const discarded = await removeAvatar(tx, userId);
    await setAvatar(tx, userId, pictures, avatarUrl);
    return discarded;
  });
