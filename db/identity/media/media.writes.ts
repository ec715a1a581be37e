import type { Attributes } from 'sequelize';
import { execute, type Tx } from '../../sql/query';
import type { Media } from './media.model';

/** A picture (WebP) whose bytes are stored as the blob `name`; its sides in pixels. */
export type StoredPicture = Pick<Attributes<Media>, 'name' | 'width' | 'height' | 'bytes'>;

/** The use of a public picture, with the user whom it shows. */
export type MediaUse = { purpose: 'AVATAR'; ownerId: string } | { purpose: 'PRODUCT'; ownerId: null };

/** Publishes pictures whose blobs the caller has claimed. */
export async function addMedia(
  tx: Tx,
  { purpose, ownerId }: MediaUse,
  pictures: readonly StoredPicture[],
): Promise<void> {
  await execute(
    tx,
    `INSERT INTO media (name, content_type, bytes, width, height, owner_id, purpose, created_at)
     SELECT name, 'image/webp', bytes, width, height, $1, $2, now()
       FROM unnest($3::text[], $4::int[], $5::int[], $6::int[]) AS picture (name, bytes, width, height)`,
    [
      ownerId,
      purpose,
      pictures.map(({ name }) => name),
      pictures.map(({ bytes }) => bytes),
      pictures.map(({ width }) => width),
      pictures.map(({ height }) => height),
    ],
  );
}

/** Withdraws public pictures. */
export async function removeMedia(tx: Tx, names: readonly string[]): Promise<void> {
  await execute(tx, 'DELETE FROM media WHERE name = ANY ($1::text[])', [names]);
}
