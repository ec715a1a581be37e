import sharp, { type Metadata, type Sharp } from 'sharp';
import type { Drawing, Drawn } from '../http/body/picture-drawer';
import { stretched } from '../../workflows/kit/limits/slowness';

/** The formats of pictures, by their decoders' names. */
export type PictureFormat = 'jpeg' | 'png' | 'webp';

/** A drawing in this format; WebP if it says none. */
export interface Rendering extends Drawing {
  as?: PictureFormat;
  /** Of JPEG, 1 to 100. */
  quality?: number;
}

/** The picture is refused; the message says why, for its sender. */
export class Unacceptable extends Error {}

/** Drawing took too long. Sizes are bounded, so the machine is slow; the picture is not at fault. */
export class TimedOut extends Error {}

/** Chosen: more than phones make. Pictures with more pixels, however few bytes they take, are not decoded at all. */
const MOST_PIXELS = 50_000_000;
/** Most memory that one picture may occupy at once. Decoders go line by line where the file allows it. */
const MOST_HELD_BYTES = 96 * 1024 * 1024;
const MOST_SECONDS = 10;
/** The beginning of sharp's message about a time-out; the error has no code. */
const SHARP_TIMEOUT = 'timeout: ';
const OPTIONS = { limitInputPixels: MOST_PIXELS, failOn: 'error' } as const;

// Only our formats are decoded, whatever the bytes pretend to be.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
});
sharp.cache(false);
sharp.concurrency(1);

/**
 * Draws a picture in each of these ways, in their order, upright and never enlarged to fit inside. Only its pixels are
 * kept; other content of the file (place and camera, comments, a second file at its end) is dropped. Throws
 * `Unacceptable`, and `TimedOut` if it takes too long.
 */
export async function draw(
  bytes: Buffer,
  format: PictureFormat,
  drawings: readonly Rendering[],
): Promise<Drawn[]> {
  const seen = await sharp(bytes, OPTIONS)
    .metadata()
    .catch(() => {
      throw new Unacceptable('cannot be read or has too many pixels');
    });
  // Two readers must agree on the format: a file that is one thing to one and another to the other is refused.
  if (seen.format !== format) throw new Unacceptable('is not of the format that it claims');
  const size = sizeFor(seen, drawings);
  if (heldBytes(seen) + size.width * size.height * 4 > MOST_HELD_BYTES)
    throw new Unacceptable('takes too much memory to decode; save it smaller or without interlacing');
  try {
    const source = await decoded(bytes, size);
    const drawn: Drawn[] = [];
    for (const drawing of drawings) drawn.push(await drawnFrom(source, seen.orientation, drawing));
    return drawn;
  } catch (error) {
    if (error instanceof Error && error.message.includes(SHARP_TIMEOUT)) throw new TimedOut();
    throw new Unacceptable('cannot be decoded');
  }
}

/** The size of the smallest picture, never enlarged, from which all drawings can be made. */
function sizeFor({ width, height }: Metadata, drawings: readonly Drawing[]) {
  const [shorter, longer] = [Math.min(width, height), Math.max(width, height)];
  const scales = drawings.map(({ side, fit }) => side / (fit === 'square' ? shorter : longer));
  const scale = Math.min(1, Math.max(...scales));
  const scaled = (length: number) => Math.max(1, Math.round(length * scale));
  return { width: scaled(width), height: scaled(height) };
}

/**
 * The bytes of a whole picture that a decoder holds at once: pixels of an interlaced PNG, coefficients (two bytes for
 * each sample) of a progressive JPEG, pixels of a WebP twice. Zero if the file is decoded line by line.
 */
function heldBytes(seen: Metadata): number {
  const pixels = seen.width * seen.height;
  if (seen.format === 'webp') return pixels * 8 * Math.min(seen.pages ?? 1, 2);
  if (!seen.isProgressive) return 0;
  if (seen.format === 'png') return pixels * seen.channels * (seen.depth === 'ushort' ? 2 : 1);
  const samples: Partial<Record<string, number>> = { '4:2:0': 1.5, '4:2:2': 2 };
  return pixels * 2 * (samples[seen.chromaSubsampling ?? ''] ?? seen.channels);
}

type Pixels = Awaited<ReturnType<typeof decoded>>;

const decoded = (bytes: Buffer, { width, height }: { width: number; height: number }) =>
  sharp(bytes, OPTIONS)
    .timeout({ seconds: stretched(MOST_SECONDS) })
    .resize(width, height, { fit: 'fill' })
    .raw()
    .toBuffer({ resolveWithObject: true });

/** EXIF's orientations 2 to 8: clockwise degrees, then whether left and right are swapped. */
const TURNS = [
  [0, true],
  [180, false],
  [180, true],
  [270, true],
  [90, false],
  [90, true],
  [270, false],
] as const;

async function drawnFrom(
  { data, info }: Pixels,
  orientation: number | undefined,
  rendering: Rendering,
): Promise<Drawn> {
  const { width, height, channels } = info;
  const { side, fit } = rendering;
  const [degrees, mirrored] = TURNS[(orientation ?? 1) - 2] ?? [0, false];
  const upright = sharp(data, { raw: { width, height, channels } })
    .timeout({ seconds: stretched(MOST_SECONDS) })
    .rotate(degrees)
    .flop(mirrored)
    .resize(side, side, fit === 'square' ? { fit: 'cover' } : { fit: 'inside', withoutEnlargement: true });
  const drawn = await encoded(upright, rendering).toBuffer({ resolveWithObject: true });
  return { bytes: drawn.data, width: drawn.info.width, height: drawn.info.height };
}

/**
 * Colours of a JPEG keep their full resolution, for the edges of coloured print. Its codes are not optimised, because
 * that holds the whole picture in memory once more.
 */
function encoded(picture: Sharp, { as = 'webp', quality = 82 }: Rendering): Sharp {
  if (as === 'jpeg')
    return picture
      .flatten({ background: 'white' })
      .jpeg({ quality, chromaSubsampling: '4:4:4', optimiseCoding: false });
  return as === 'png' ? picture.png() : picture.webp({ quality });
}
