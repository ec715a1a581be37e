import { discardBlobs, removeBlobs } from '../../db/blobs/discarded.writes';
import type { StoredPicture } from '../../db/identity/media/media.writes';
import type { Context } from '../http/endpoint';
import type { Drawn } from '../http/body/picture-drawer';

/** A picture whose bytes are kept, with the address under which everyone will see it. */
export interface KeptPicture extends StoredPicture {
  url: string;
}

/** Keeps a picture's bytes for whoever claims them. Should nobody, the blob is remembered as nobody's. */
export async function keepPicture(
  { blobs, db, identity }: Pick<Context, 'blobs' | 'db' | 'identity'>,
  { bytes, width, height }: Drawn,
): Promise<KeptPicture> {
  const name = await blobs.put(bytes);
  await discardBlobs(db, [name]);
  const url = new URL(`/media/${name}`, identity.settings.PUBLIC_URL).href;
  return { name, width, height, bytes: bytes.length, url };
}

/** What was to be done is done, so nothing is refused for this; what stays is removed with what else was left behind. */
export async function removeUnwanted(
  { blobs, db, log }: Pick<Context, 'blobs' | 'db' | 'log'>,
  names: readonly string[],
): Promise<void> {
  try {
    await removeBlobs(db, blobs, names);
  } catch (error) {
    log.warn({ err: error }, 'blobs that nobody needs wait for retention');
  }
}
