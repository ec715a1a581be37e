import sharp from 'sharp';
import type { Drawn } from '../../http/body/picture-drawer';
import { Unacceptable, type Rendering } from '../draw';
import { opened } from './pdfium';

/** Draws the first page of an inspected PDF within this square, as WebP on white. */
export async function drawFirstPage(bytes: Buffer, { side }: Rendering): Promise<Drawn> {
  const page = (await opened(bytes)).getPage(0);
  const { originalWidth, originalHeight } = page.getOriginalSize();
  const scale = side / Math.max(originalWidth, originalHeight);
  const scaled = (length: number) => Math.max(1, Math.round(length * scale));
  if (!(scale > 0 && Number.isFinite(scale))) throw new Unacceptable('has a page without a size');
  const size = { width: scaled(originalWidth), height: scaled(originalHeight) };
  const { data } = await page.render({ ...size, scale: 1, render: 'bitmap' });
  const drawn = await sharp(data, { raw: { ...size, channels: 4 } })
    .webp({ quality: 82 })
    .toBuffer();
  return { bytes: drawn, ...size };
}
