import { claimBlobs, discardBlobs } from '../../blobs/discarded.writes';
import { execute, rows, type Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { addMedia, type StoredPicture } from '../media/media.writes';
import { User } from './user.model';

/** Makes these pictures a user's avatar, shown as `avatarUrl`. Remove the one before first. */
export async function setAvatar(
  tx: Tx,
  userId: string,
  pictures: readonly StoredPicture[],
  avatarUrl: string,
): Promise<void> {
  await table(tx, User).update({ avatarUrl }, { id: userId });
  await claimBlobs(
    tx,
    pictures.map(({ name }) => name),
  );
  await addMedia(tx, { purpose: 'AVATAR', ownerId: userId }, pictures);
}

/** Removes a user's avatar; returns its blobs, now discarded. Locks the user's row, so uploads take turns. */
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
