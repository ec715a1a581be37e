import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';

/** Highest ratio of the decompressed to the sent size; ordinary text reaches 5 to 10. */
const MOST_RATIO = 50;
/** Up to this decompressed size any ratio is allowed, since such bodies are small in any case. */
const SMALL_BYTES = 64 * 1024;

const decompressors: ReadonlyMap<
  string,
  (compressed: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>
> = new Map([
  ['gzip', promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzip)],
  ['deflate', promisify<Buffer, { maxOutputLength: number }, Buffer>(inflate)],
  ['br', promisify<Buffer, { maxOutputLength: number }, Buffer>(brotliDecompress)],
]);

/** A body could not be decompressed; `ratio`: it grows more than any honest body; `size`: it is too large. */
export class DecompressionFailed extends Error {
  constructor(
    readonly why: 'unknown encoding' | 'ratio' | 'size' | 'broken',
    cause?: unknown,
  ) {
    super(`A body was not decompressed: ${why}.`, { cause });
  }
}

/** Decompresses a body of this Content-Encoding. Stops at the first byte over the limits. */
export async function decompress(compressed: Buffer, encoding: string, mostBytes: number): Promise<Buffer> {
  if (encoding === 'identity') return compressed;
  const decompressor = decompressors.get(encoding);
  if (!decompressor) throw new DecompressionFailed('unknown encoding');
  const bound = Math.min(mostBytes, Math.max(SMALL_BYTES, MOST_RATIO * compressed.length));
  try {
    return await decompressor(compressed, { maxOutputLength: bound });
  } catch (error) {
    const isTooLarge = (error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE';
    if (isTooLarge) throw new DecompressionFailed(bound < mostBytes ? 'ratio' : 'size', error);
    throw new DecompressionFailed('broken', error);
  }
}
