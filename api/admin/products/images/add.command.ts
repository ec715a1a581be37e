import { audited } from '../../../../db/administration/audit/audit.writes';
import { claimBlobs } from '../../../../db/blobs/discarded.writes';
import { imagesOf } from '../../../../db/catalog/image/product-image.reads';
import { insertImage, makePrimary } from '../../../../db/catalog/image/product-image.writes';
import { touchProduct } from '../../../../db/catalog/product/administered-product.writes';
import type { ImageRow } from '../../../../db/catalog/image/product-image.reads';
import { addMedia, type StoredPicture } from '../../../../db/identity/media/media.writes';
import type { Db } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { businessRefusal } from '../../../../workflows/errors';
import type { Actor } from '../../actor';
import { requireProduct } from '../product.requirements';

/** All of them are shown on one page. */
export const MOST_IMAGES = 50;

/** A picture whose bytes, and those of its thumbnail, are stored already. */
export interface NewImage {
  id: string;
  picture: StoredPicture;
  thumbnail: StoredPicture;
  url: string;
  thumbnailUrl: string;
  alt: string | null;
  /** The first image of a product is its primary one in any case. */
  isPrimary: boolean;
  /** Null: after the last. */
  position: number | null;
}

/** Adds a picture to a product. Refused: PRODUCT_NOT_FOUND, and VALIDATION_ERROR for more than a page can show. */
export function addImage(db: Db, productId: string, request: NewImage, by: Actor): Promise<ImageRow> {
  return inTransaction(db, async (tx) => {
    await requireProduct(tx, productId);
    const others = await imagesOf(tx, productId);
    if (others.length >= MOST_IMAGES)
      throw businessRefusal('TOO_MANY_IMAGES', `A product can have at most ${MOST_IMAGES} images.`);
    const at = new Date();
    const { id, url, thumbnailUrl, alt, picture, thumbnail } = request;
    const position = request.position ?? Math.max(-1, ...others.map((other) => other.position)) + 1;
    const isPrimary = request.isPrimary || others.length === 0;
    await claimBlobs(tx, [picture.name, thumbnail.name]);
    await addMedia(tx, { purpose: 'PRODUCT', ownerId: null }, [picture, thumbnail]);
    if (isPrimary) await makePrimary(tx, productId, null);
    const image = { id, url, thumbnailUrl, alt, isPrimary, position };
    const blobs = { mediaName: picture.name, thumbnailMediaName: thumbnail.name };
    await insertImage(tx, productId, { ...image, ...blobs });
    await touchProduct(tx, productId, at);
    await audited(tx, { ...by, at }, 'product.add-image', productId, null, image);
    return image;
  });
}
