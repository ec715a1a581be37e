import sharp from 'sharp';

/** A picture of one colour; `exif` adds the metadata of cameras, with the place. */
export async function picture(
  format: 'jpeg' | 'png' | 'webp' | 'gif',
  { width = 640, height = 480, exif = false } = {},
): Promise<Buffer> {
  const drawn = sharp({ create: { width, height, channels: 3, background: { r: 200, g: 30, b: 90 } } });
  const tagged = exif
    ? drawn.withExif({
        IFD0: { Make: 'Secret-Camera', Software: 'Secret-Software' },
        IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 0/1', GPSLongitudeRef: 'E' },
      })
    : drawn;
  return tagged.toFormat(format).toBuffer();
}

/** Some kilobytes that are a valid picture of far too many pixels. */
export const bomb = (): Promise<Buffer> => picture('png', { width: 7_500, height: 7_500 });
