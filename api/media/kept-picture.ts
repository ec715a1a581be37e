import { discardBlobs, removeBlobs } from '../../db/blobs/discarded.writes';
import type { StoredPicture } from '../../db/identity/media/media.writes';
import type { Context } from '../http/endpoint';
import type { Drawn } from '../http/body/picture-drawer';

/** A picture whose bytes are stored, with the public address that it will have. */
export interface KeptPicture extends StoredPicture {
  url: string;
}

/** Stores a picture's bytes until a row claims them; retention removes a blob that is never claimed. */
export async function keepPicture(
  { blobs, db, identity }: Pick<Context, 'blobs' | 'db' | 'identity'>,
  { bytes, width, height }: Drawn,
): Promise<KeptPicture> {
  const name = await blobs.put(bytes);
  await discardBlobs(db, [name]);
  const url = new URL(`/media/${name}`, identity.settings.PUBLIC_URL).href;
  return { name, width, height, bytes: bytes.length, url };
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
