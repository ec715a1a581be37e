import { execute, type Tx } from '../../sql/query';
import type { KeptImage } from './product-image.reads';

export async function insertImage(
  tx: Tx,
  productId: string,
  { id, url, thumbnailUrl, alt, isPrimary, position, mediaName, thumbnailMediaName }: KeptImage,
): Promise<void> {
  await execute(
    tx,
    `INSERT INTO product_images (id, product_id, url, thumbnail_url, alt, is_primary, position, media_name,
       thumbnail_media_name) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [id, productId, url, thumbnailUrl, alt, isPrimary, position, mediaName, thumbnailMediaName],
  );
}

export async function updateImage(
  tx: Tx,
  id: string,
  { alt, position }: Pick<KeptImage, 'alt' | 'position'>,
): Promise<void> {
  await execute(tx, 'UPDATE product_images SET alt = $2, position = $3 WHERE id = $1', [id, alt, position]);
}

export async function removeImage(tx: Tx, id: string): Promise<void> {
  await execute(tx, 'DELETE FROM product_images WHERE id = $1', [id]);
}

/**
 * Makes one picture the primary one, or none (null) until one is inserted. Two statements, since at no time may two
 * pictures of a product be primary.
 */
export async function makePrimary(tx: Tx, productId: string, imageId: string | null): Promise<void> {
  await execute(tx, 'UPDATE product_images SET is_primary = false WHERE product_id = $1 AND is_primary', [
    productId,
  ]);
  if (imageId !== null)
    await execute(tx, 'UPDATE product_images SET is_primary = true WHERE id = $1', [imageId]);
}
