import { claimBlobs, discardBlobs } from '../blobs/discarded.writes';
import { execute, rows, type Db, type Tx } from '../sql';
import { inTransaction } from '../transaction';

/** A square picture whose bytes are already kept as the blob `name`. */
export interface AvatarPicture {
  name: string;
  /** Width and height in pixels. */
  size: number;
  bytes: number;
}

/**
 * Puts these pictures in the place of a user's avatar, shown as `avatarUrl`; answers the blobs that nobody needs now,
 * for removal after the commit.
 */
export async function replaceAvatar(
  db: Db,
  userId: string,
  pictures: readonly AvatarPicture[],
  avatarUrl: string,
): Promise<string[]> {
  return inTransaction(db, async (tx) => {
    const discarded = await removeAvatar(tx, userId);
    await execute(tx, 'UPDATE users SET avatar_url = $2 WHERE id = $1', [userId, avatarUrl]);
    await claimBlobs(
      tx,
      pictures.map(({ name }) => name),
    );
    await execute(
      tx,
      `INSERT INTO media (name, content_type, bytes, width, height, owner_id, purpose, created_at)
       SELECT name, 'image/webp', bytes, size, size, $1, 'AVATAR', now()
         FROM unnest($2::text[], $3::int[], $4::int[]) AS picture (name, size, bytes)`,
      [
        userId,
        pictures.map(({ name }) => name),
        pictures.map(({ size }) => size),
        pictures.map(({ bytes }) => bytes),
      ],
    );
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
