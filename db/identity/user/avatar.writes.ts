import { claimBlobs, discardBlobs } from '../../blobs/discarded.writes';
import { execute, rows, type Db, type Tx } from '../../sql/query';
import { inTransaction } from '../../sql/transaction';
import { addMedia, type StoredPicture } from '../media/media.writes';

/**
 * Puts these pictures in the place of a user's avatar, shown as `avatarUrl`; answers the blobs that nobody needs now,
 * for removal after the commit.
 */
export async function replaceAvatar(
  db: Db,
  userId: string,
  pictures: readonly StoredPicture[],
  avatarUrl: string,
): Promise<string[]> {
  return inTransaction(db, async (tx) => {
    const discarded = await removeAvatar(tx, userId);
    await execute(tx, 'UPDATE users SET avatar_url = $2 WHERE id = $1', [userId, avatarUrl]);
    await claimBlobs(
      tx,
      pictures.map(({ name }) => name),
    );
    await addMedia(tx, { purpose: 'AVATAR', ownerId: userId }, pictures);
    return discarded;
  });
}

/** Takes a user's avatar away; answers the blobs that nobody needs now. The row is locked, so uploads take turns. */
export async function removeAvatar(tx: Tx, userId: string): Promise<string[]> {
  await execute(tx, 'UPDATE users SET avatar_url = NULL, updated_at = now() WHERE id = $1', [userId]);
  const removed = await rows<{ name: string }>(
    tx,
    `DELETE FROM media WHERE owner_id = $1 AND purpose = 'AVATAR' RETURNING name`,
    [userId],
  );
  const names = removed.map(({ name }) => name);
  await discardBlobs(tx, names);
  return names;
}
