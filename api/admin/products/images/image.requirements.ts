import type { StoredImage } from '../../../../db/catalog/image/product-image.reads';
import type { ImageRow } from '../../../../db/catalog/image/product-image.reads';
import { refusal } from '../../../../workflows/errors';

/** The path of one picture. */
export interface ImageKey {
  productId: string;
  imageId: string;
}

/** The picture of this id; refused with IMAGE_NOT_FOUND if it is not among those of the product. */
export function requireImage(images: readonly StoredImage[], id: string): StoredImage {
  const image = images.find((one) => one.id === id);
  if (!image) throw refusal('IMAGE_NOT_FOUND');
  return image;
}

/** A picture without the names of its blobs, as answers and audit records have it. */
export const withoutBlobs = ({ id, url, thumbnailUrl, alt, isPrimary, position }: StoredImage): ImageRow => ({
  id,
  url,
  thumbnailUrl,
  alt,
  isPrimary,
  position,
});
