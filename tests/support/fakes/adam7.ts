import { once } from 'node:events';
import { crc32, createDeflate } from 'node:zlib';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
/** First column and row of each of the seven passes, and its steps. */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;
const RGBA = 6;
const CHUNK = Buffer.alloc(1024 * 1024);

/** An interlaced PNG (RGBA, all zero) of so many pixels each way: some hundred kilobytes that decode to hundreds of megabytes. */
export async function interlacedPng(side: number, bitDepth: 8 | 16): Promise<Buffer> {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([bitDepth, RGBA, 0, 0, 1], 8);
  const pixels = await deflatedZeros(rawBytes(side, (bitDepth / 8) * 4));
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** The length before compression: each line of each pass has a filter byte before its pixels. */
function rawBytes(side: number, bytesPerPixel: number): number {
  return PASSES.reduce((sum, [x, y, stepX, stepY]) => {
    const [columns, lines] = [Math.ceil((side - x) / stepX), Math.ceil((side - y) / stepY)];
    return sum + lines * (1 + columns * bytesPerPixel);
  }, 0);
}

async function deflatedZeros(bytes: number): Promise<Buffer> {
  const deflate = createDeflate({ level: 6 });
  const parts: Buffer[] = [];
  deflate.on('data', (part: Buffer) => parts.push(part));
  const end = once(deflate, 'end');
  for (let left = bytes; left > 0; left -= CHUNK.length)
    if (!deflate.write(CHUNK.subarray(0, Math.min(left, CHUNK.length)))) await once(deflate, 'drain');
  deflate.end();
  await end;
  return Buffer.concat(parts);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}
