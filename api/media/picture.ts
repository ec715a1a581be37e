import { fileTypeFromBuffer } from 'file-type/core';
import sharp, { type Sharp } from 'sharp';
import { refusal } from '../../workflows/errors';
import { Gate } from '../http/auth/gate';

/** What a picture may be, by the name that its decoder gives it. */
const TYPES: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/webp': 'webp',
};
/** Chosen: more than phones make; a few bytes that unfold into more are not decoded at all. */
const MOST_PIXELS = 50_000_000;
const MOST_SECONDS = 10;
/** Decoding takes a core and memory, so pictures wait for each other and not everyone for pictures. */
const gate = new Gate(2);

// Of the decoder's many formats only ours are ever touched, whatever the bytes pretend to be.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
});
sharp.cache(false);
sharp.concurrency(1);

/** How a picture is to be drawn: at most so many pixels each way, or cut around its middle to a square of that side. */
export interface Drawing {
  side: number;
  fit: 'inside' | 'square';
}

/** A picture as drawn: WebP, with its sides in pixels. */
export interface Drawn {
  bytes: Buffer;
  width: number;
  height: number;
}

/**
 * The picture as WebP, drawn in each of these ways, in their order, upright and never enlarged to fit inside. It is
 * drawn anew from its pixels: what else was in the file (place and camera, comments, a second file at its end) is not
 * in it. Refuses with INVALID_FILE_TYPE what is not wholly a JPEG, PNG or WebP picture of reasonable size.
 */
export async function drawn(bytes: Buffer, drawings: readonly Drawing[]): Promise<Drawn[]> {
  return gate.through(async () => {
    const claimed = await fileTypeFromBuffer(bytes);
    const format = claimed && TYPES[claimed.mime];
    if (format === undefined) throw noPicture('is no JPEG, PNG or WebP picture');
    const image = sharp(bytes, { limitInputPixels: MOST_PIXELS, failOn: 'error' });
    await requirePicture(image, format);
    try {
      return await Promise.all(drawings.map((drawing) => draw(image, drawing)));
    } catch (error) {
      throw noPicture('could not be decoded', error);
    }
  });
}

/** Two readers must agree on what it is: what looks like one thing to one and like another to the other is refused. */
async function requirePicture(image: Sharp, format: string): Promise<void> {
  const seen = await image.metadata().catch((error: unknown) => {
    throw noPicture('could not be read, or has too many pixels', error);
  });
  if (seen.format !== format) throw noPicture('is not what it seems');
}

async function draw(image: Sharp, { side, fit }: Drawing): Promise<Drawn> {
  const { data, info } = await image
    .clone()
    .timeout({ seconds: MOST_SECONDS })
    .autoOrient()
    .resize(side, side, fit === 'square' ? { fit: 'cover' } : { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 82 })
    .toBuffer({ resolveWithObject: true });
  return { bytes: data, width: info.width, height: info.height };
}

function noPicture(why: string, cause?: unknown): Error {
  const refused = refusal('INVALID_FILE_TYPE', 'The file must be a JPEG, PNG or WebP picture.', {
    file: [why],
  });
  return cause === undefined ? refused : Object.assign(refused, { cause });
}
