import { randomUUID } from 'node:crypto';
import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { BlobStore } from '../../../db/blobs/port';
import { newBlobName, shelfOf } from '../../../db/blobs/port';
import { execute, type Db } from '../../../db/sql/query';

/** The place of a blob in the folder of the disk driver. */
export const placeOf = (folder: string, name: string): string => join(folder, shelfOf(name), name);

/** Makes a blob, or what a broken upload left of it, as old as this. */
export async function age(folder: string, name: string, hours: number, end = ''): Promise<void> {
  const then = new Date(Date.now() - hours * 3_600_000);
  await utimes(placeOf(folder, name) + end, then, then);
}

/** Stores a blob that no row has. */
export async function stored(blobs: BlobStore, text = 'stray'): Promise<string> {
  const name = newBlobName();
  await blobs.put(name, Buffer.from(text));
  return name;
}

/** The row of a picture whose blob has this name. */
export async function picture(db: Db, name: string): Promise<void> {
  await execute(
    db,
    `INSERT INTO media (name, content_type, bytes, width, height, purpose, created_at)
     VALUES ($1, 'image/webp', 1, 1, 1, 'PRODUCT', now())`,
    [name],
  );
}

/** The row of a user's document with these blobs; answers its id. */
export async function document(
  db: Db,
  userId: string,
  { file, thumbnail }: { file: string; thumbnail: string | null },
): Promise<string> {
  const id = randomUUID();
  await execute(
    db,
    `INSERT INTO kyc_documents (id, user_id, type, content_type, file_content_type, name_sealed, bytes, file_blob,
         thumbnail_blob, data_key, content_mac, content_key, uploaded_at)
     VALUES ($1, $2, 'PASSPORT', 'image/png', 'image/png', '\\x00', 1, $3, $4, '\\x00', 'm', 'k', now())`,
    [id, userId, file, thumbnail],
  );
  return id;
}
