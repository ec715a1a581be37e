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

/**
 * The picture as WebP squares of these sizes, in their order, upright and cut around its middle. They are drawn anew from
 * its pixels: what else was in the file (place and camera, comments, a second file at its end) is not in them. Refuses
 * with INVALID_FILE_TYPE what is not wholly a JPEG, PNG or WebP picture of reasonable size.
 */
export async function squaresOf(bytes: Buffer, sizes: readonly number[]): Promise<Buffer[]> {
  return gate.through(async () => {
    const claimed = await fileTypeFromBuffer(bytes);
    const format = claimed && TYPES[claimed.mime];
    if (format === undefined) throw noPicture('is no JPEG, PNG or WebP picture');
    const image = sharp(bytes, { limitInputPixels: MOST_PIXELS, failOn: 'error' });
    await requirePicture(image, format);
    try {
      return await Promise.all(sizes.map((size) => square(image, size)));
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

const square = (image: Sharp, size: number): Promise<Buffer> =>
  image
    .clone()
    .timeout({ seconds: MOST_SECONDS })
    .autoOrient()
    .resize(size, size, { fit: 'cover' })
    .webp({ quality: 82 })
    .toBuffer();

function noPicture(why: string, cause?: unknown): Error {
  const refused = refusal('INVALID_FILE_TYPE', 'The file must be a JPEG, PNG or WebP picture.', {
    file: [why],
  });
  return cause === undefined ? refused : Object.assign(refused, { cause });
}
