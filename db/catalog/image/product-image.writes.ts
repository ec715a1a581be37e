import type { Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { ProductImage } from './product-image.model';
import type { StoredImage } from './product-image.reads';

export const insertImage = (tx: Tx, productId: string, image: StoredImage): Promise<void> =>
  table(tx, ProductImage).insert({ ...image, productId });

export async function updateImage(
  tx: Tx,
  id: string,
  { alt, position }: Pick<StoredImage, 'alt' | 'position'>,
): Promise<void> {
  await table(tx, ProductImage).update({ alt, position }, { id });
}

export async function removeImage(tx: Tx, id: string): Promise<void> {
  await table(tx, ProductImage).remove({ id });
}

/**
 * Makes one picture the primary one, or none (null) until one is inserted. Two statements, since at no time may two
 * pictures of a product be primary.
 */
export async function makePrimary(tx: Tx, productId: string, imageId: string | null): Promise<void> {
  await table(tx, ProductImage).update({ isPrimary: false }, { productId, isPrimary: true });
  if (imageId !== null) await table(tx, ProductImage).update({ isPrimary: true }, { id: imageId });
}
