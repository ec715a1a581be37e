import { audited } from '../../../../db/administration/audit/audit.writes';
import { discardBlobs } from '../../../../db/blobs/discarded.writes';
import {
  imagesOf,
  isShownInOrders,
  type StoredImage,
} from '../../../../db/catalog/image/product-image.reads';
import { makePrimary, removeImage } from '../../../../db/catalog/image/product-image.writes';
import { touchProduct } from '../../../../db/catalog/product/administered-product.writes';
import { removeMedia } from '../../../../db/identity/media/media.writes';
import type { Db, Tx } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import type { Actor } from '../../actor';
import { requireProduct } from '../product.requirements';
import { requireImage, withoutBlobs, type ImageKey } from './image.requirements';

/**
 * Removes a picture; returns when, and the blobs to delete after the commit. If it was the primary one, the next becomes
 * it. Chosen: a thumbnail stays as long as orders show it. Refused: PRODUCT_NOT_FOUND, IMAGE_NOT_FOUND.
 */
export function deleteImage(
  db: Db,
  { productId, imageId }: ImageKey,
  by: Actor,
): Promise<{ deletedAt: Date; unusedBlobs: string[] }> {
  return inTransaction(db, async (tx) => {
    // Against orders too: one that is being placed may show the thumbnail.
    await requireProduct(tx, productId, 'changes and orders');
    const images = await imagesOf(tx, productId);
    const image = requireImage(images, imageId);
    const at = new Date();
    await removeImage(tx, imageId);
    const next = images.find(({ id }) => id !== imageId);
    if (image.isPrimary && next) await makePrimary(tx, productId, next.id);
    const unusedBlobs = await unusedBlobsOf(tx, productId, image);
    await removeMedia(tx, unusedBlobs);
    await discardBlobs(tx, unusedBlobs);
    await touchProduct(tx, productId, at);
    await audited(tx, { ...by, at }, 'product.delete-image', productId, withoutBlobs(image), {
      imageId,
      deletedAt: at,
    });
    return { deletedAt: at, unusedBlobs };
  });
}

async function unusedBlobsOf(tx: Tx, productId: string, image: StoredImage): Promise<string[]> {
  const keepsThumbnail = await isShownInOrders(tx, productId, image.thumbnailUrl);
  return [image.mediaName, keepsThumbnail ? null : image.thumbnailMediaName].filter((name) => name !== null);
}
