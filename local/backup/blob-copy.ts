import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { isBlobName, shelfOf, SHELVES, type BlobStore } from '../../db/blobs/port';
import { PARTS, UnusableBackup } from './manifest';

const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** A line of the list, as `sha256sum -c` reads it in the backup's folder. */
const lineOf = (name: string, sha256: string): string =>
  `${sha256}  ${PARTS.blobDir}/${shelfOf(name)}/${name}\n`;
const LINE = /^([0-9a-f]{64}) {2}blobs\/[0-9a-f]{2}\/([0-9a-f]{64})$/;

/** Copies blobs, which never change under their names, in any number of passes. */
export class BlobCopy {
  private readonly copied = new Map<string, string>();
  private bytes = 0;

  constructor(
    private readonly from: BlobStore,
    private readonly to: BlobStore,
  ) {}

  /** Copies what was stored since the last pass. A blob that is deleted meanwhile is left out. */
  async pass(signal: AbortSignal): Promise<void> {
    for (const shelf of SHELVES)
      for (const name of (await this.from.list(shelf)).whole) {
        signal.throwIfAborted();
        if (this.copied.has(name)) continue;
        const bytes = await this.from.get(name);
        if (bytes === null) continue;
        await this.to.put(name, bytes);
        this.copied.set(name, sha256Of(bytes));
        this.bytes += bytes.length;
      }
  }

  get figures(): { count: number; bytes: number } {
    return { count: this.copied.size, bytes: this.bytes };
  }

  *list(): Generator<string> {
    for (const [name, sha256] of this.copied) yield lineOf(name, sha256);
  }
}

/** The blobs of a backup's list, with their checksums. */
export async function* listedBlobs(folder: string): AsyncGenerator<{ name: string; sha256: string }> {
  const lines = createInterface({ input: createReadStream(path.join(folder, PARTS.blobList)) });
  for await (const line of lines) {
    const [, sha256 = '', name = ''] = LINE.exec(line) ?? [];
    if (!isBlobName(name)) throw new UnusableBackup(`${PARTS.blobList} is damaged: take another backup.`);
    yield { name, sha256 };
  }
}

/** The bytes of a blob of a backup. Throws UnusableBackup when it is missing, or is not what was copied. */
export async function verifiedBlob(
  from: BlobStore,
  { name, sha256 }: { name: string; sha256: string },
): Promise<Buffer> {
  const bytes = await from.get(name);
  if (bytes !== null && sha256Of(bytes) === sha256) return bytes;
  const fault = bytes === null ? 'is missing' : 'is damaged or was changed';
  throw new UnusableBackup(
    `The file ${PARTS.blobDir}/${shelfOf(name)}/${name} ${fault}: take another backup.`,
  );
}
