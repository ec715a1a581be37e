import { execute, type Tx } from '../../sql/query';

/** A picture (WebP) whose bytes are already kept as the blob `name`; its sides in pixels. */
export interface StoredPicture {
  name: string;
  width: number;
  height: number;
  bytes: number;
}

/** Whom a public picture shows, and as what. */
export type MediaUse = { purpose: 'AVATAR'; ownerId: string } | { purpose: 'PRODUCT'; ownerId: null };

/** Gives pictures, whose blobs the caller has claimed, an address that everyone may look at. */
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

/** Takes their addresses away. */
export async function removeMedia(tx: Tx, names: readonly string[]): Promise<void> {
  await execute(tx, 'DELETE FROM media WHERE name = ANY ($1::text[])', [names]);
}
