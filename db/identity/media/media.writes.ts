import type { Attributes } from 'sequelize';
import { execute, type Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { Media } from './media.model';

/** A picture (WebP) whose bytes are stored as the blob `name`; its sides in pixels. */
export interface StoredPicture extends Pick<Attributes<Media>, 'name' | 'bytes'> {
  width: number;
  height: number;
}

/** The use of a public picture, with the user whom it shows. */
export type MediaUse =
  { purpose: 'AVATAR'; ownerId: string } | { purpose: 'PRODUCT' | 'STRATEGY'; ownerId: null };

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

/** Publishes a document (PDF) of a strategy, whose blob the caller has claimed. */
export function addDocumentMedia(
  tx: Tx,
  { name, bytes }: Pick<Attributes<Media>, 'name' | 'bytes'>,
): Promise<void> {
  return table(tx, Media).insert({
    ...{ name, bytes, contentType: 'application/pdf', width: null, height: null },
    ...{ ownerId: null, purpose: 'STRATEGY', createdAt: new Date() },
  });
}

/** Withdraws public pictures and documents. */
export async function removeMedia(tx: Tx, names: readonly string[]): Promise<void> {
  await execute(tx, 'DELETE FROM media WHERE name = ANY ($1::text[])', [names]);
}
