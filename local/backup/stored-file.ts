import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, stat } from 'node:fs/promises';
import path from 'node:path';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { codeOf } from '../failure';
import { UnusableBackup, type StoredFile } from './manifest';

/** The cheapest level: the platform runs meanwhile, and the log's zeros and the tables' texts shrink as it is. */
const LEVEL = 1;

/** Counts what passes, and knows its checksum in the end. */
function measure(): { through: Transform; result: () => { bytes: number; sha256: string } } {
  const hash = createHash('sha256');
  let bytes = 0;
  const through = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      hash.update(chunk);
      done(null, chunk);
    },
  });
  return { through, result: () => ({ bytes, sha256: hash.digest('hex') }) };
}

/** Writes a new file of the backup, for its owner only, and waits until it is on the disk. */
export async function storeFile(
  folder: string,
  name: string,
  source: Readable,
  signal: AbortSignal,
): Promise<StoredFile> {
  const file = path.join(folder, name);
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const measured = measure();
  const target = createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true });
  if (name.endsWith('.gz'))
    await pipeline(source, createGzip({ level: LEVEL }), measured.through, target, { signal });
  else await pipeline(source, measured.through, target, { signal });
  return { name, ...measured.result() };
}

/** The bytes that were given to `storeFile`. */
export function storedBytes(folder: string, { name }: Pick<StoredFile, 'name'>): Readable {
  const source = createReadStream(path.join(folder, name));
  if (!name.endsWith('.gz')) return source;
  const plain = createGunzip();
  source.on('error', (error) => plain.destroy(error));
  return source.pipe(plain);
}

/** Throws UnusableBackup when a file is missing, or is not what was stored. */
export async function verifyFile(folder: string, { name, bytes, sha256 }: StoredFile): Promise<void> {
  const file = path.join(folder, name);
  const size = await stat(file).then(
    (found) => found.size,
    (error: unknown) => {
      if (codeOf(error) !== 'ENOENT') throw error;
      throw new UnusableBackup(`${name} is missing: this is half a backup. Take another one.`);
    },
  );
  const hash = createHash('sha256');
  if (size === bytes) await pipeline(createReadStream(file), hash);
  if (size !== bytes || hash.digest('hex') !== sha256)
    throw new UnusableBackup(`${name} is damaged or was changed: take another backup.`);
}

/** Makes the names in a folder survive a power failure. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
