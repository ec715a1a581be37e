import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';

/** How often larger than what was sent a body may be once it is unpacked; texts of people come to 5 or 10. */
const MOST_RATIO = 50;
/** Up to this size any ratio will do: a form that repeats itself is small either way. */
const SMALL_BYTES = 64 * 1024;

const unpackers: ReadonlyMap<
  string,
  (packed: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>
> = new Map([
  ['gzip', promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzip)],
  ['deflate', promisify<Buffer, { maxOutputLength: number }, Buffer>(inflate)],
  ['br', promisify<Buffer, { maxOutputLength: number }, Buffer>(brotliDecompress)],
]);

/** A body could not be unpacked: `ratio`, it grows like nothing that a client of ours sends; `size`, it is too large. */
export class UnpackFailed extends Error {
  constructor(
    readonly why: 'unknown packing' | 'ratio' | 'size' | 'broken',
    cause?: unknown,
  ) {
    super(`A body was not unpacked: ${why}.`, { cause });
  }
}

/** The bytes in a body of this Content-Encoding. Work stops at the first byte over the bounds. */
export async function unpacked(packed: Buffer, packing: string, mostBytes: number): Promise<Buffer> {
  if (packing === 'identity') return packed;
  const unpack = unpackers.get(packing);
  if (!unpack) throw new UnpackFailed('unknown packing');
  const bound = Math.min(mostBytes, Math.max(SMALL_BYTES, MOST_RATIO * packed.length));
  try {
    return await unpack(packed, { maxOutputLength: bound });
  } catch (error) {
    const isTooLarge = (error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE';
    if (isTooLarge) throw new UnpackFailed(bound < mostBytes ? 'ratio' : 'size', error);
    throw new UnpackFailed('broken', error);
  }
}
