import { storeBlob, removeBlobs } from '../../db/blobs/discarded.writes';
import type { StoredPicture } from '../../db/identity/media/media.writes';
import type { Context } from '../http/handler-context';
import type { Drawn } from '../http/body/picture-drawer';

/** A picture whose bytes are stored, with the public address that it will have. */
export interface PublishedPicture extends StoredPicture {
  url: string;
}

/** Stores a picture's bytes until a row claims them; retention removes a blob that is never claimed. */
export async function storePicture(
  context: Pick<Context, 'blobs' | 'db' | 'identity'>,
  { bytes, width, height }: Drawn,
): Promise<PublishedPicture> {
  return { ...(await storePublicFile(context, bytes)), width, height, bytes: bytes.length };
}

/** Stores the bytes of a public file in the same way; returns its blob's name and the address that it will have. */
export async function storePublicFile(
  { blobs, db, identity }: Pick<Context, 'blobs' | 'db' | 'identity'>,
  bytes: Buffer,
): Promise<{ name: string; url: string }> {
  const name = await storeBlob(db, blobs, bytes);
  return { name, url: new URL(`/media/${name}`, identity.settings.PUBLIC_URL).href };
}

/** Removes blobs after a commit. Never fails the request: retention removes what stays. */
export async function removeUnwanted(
  { blobs, db, log }: Pick<Context, 'blobs' | 'db' | 'log'>,
  names: readonly string[],
): Promise<void> {
  try {
    await removeBlobs(db, blobs, names);
  } catch (error) {
    log.warn({ err: error }, 'unused blobs are left for retention to remove');
  }
}
