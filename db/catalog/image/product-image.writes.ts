import { refusal } from '../../../workflows/errors';
import { changedFields } from '../../administration/audit/changed-fields';
import { claimBlobs, discardBlobs } from '../../blobs/discarded.writes';
import { addMedia, removeMedia, type StoredPicture } from '../../identity/media/media.writes';
import { execute, type Db, type Tx } from '../../sql/query';
import { inTransaction } from '../../sql/transaction';
import type { ImageRow } from '../product/product-columns.reads';
import { imagesOf, isShownInOrders, type KeptImage } from './product-image.reads';
import { requireProduct } from '../product/product-record.reads';
import { audit, touchProduct, type Actor } from '../product/product-record.writes';

/** All of them are shown on one page. */
export const MOST_IMAGES = 50;

/** A new picture, whose bytes are already kept, and the smaller one that goes with it. */
export interface NewImage {
  id: string;
  picture: StoredPicture;
  thumbnail: StoredPicture;
  url: string;
  thumbnailUrl: string;
  alt: string | null;
  /** The first picture of a product is its primary one in any case. */
  isPrimary: boolean;
  /** Null: after the last. */
  position: number | null;
}

/** Adds a picture to a product. Refused: PRODUCT_NOT_FOUND, and VALIDATION_ERROR for more than a page can show. */
export function addImage(db: Db, productId: string, wish: NewImage, by: Actor): Promise<ImageRow> {
  return inTransaction(db, async (tx) => {
    await requireProduct(tx, productId);
    const others = await imagesOf(tx, productId);
    if (others.length >= MOST_IMAGES)
      throw refusal('VALIDATION_ERROR', `A product has at most ${MOST_IMAGES} pictures.`);
    const at = new Date();
    const { id, url, thumbnailUrl, alt, picture, thumbnail } = wish;
    const position = wish.position ?? Math.max(-1, ...others.map((other) => other.position)) + 1;
    const isPrimary = wish.isPrimary || others.length === 0;
    await claimBlobs(tx, [picture.name, thumbnail.name]);
    await addMedia(tx, { purpose: 'PRODUCT', ownerId: null }, [picture, thumbnail]);
    if (isPrimary) await makePrimary(tx, productId, null);
    await execute(
      tx,
      `INSERT INTO product_images (id, product_id, url, thumbnail_url, alt, is_primary, position, media_name,
         thumbnail_media_name) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [id, productId, url, thumbnailUrl, alt, isPrimary, position, picture.name, thumbnail.name],
    );
    await touchProduct(tx, productId, at);
    const image = { id, url, thumbnailUrl, alt, isPrimary, position };
    await audit(tx, by, { id: productId, action: 'product.add-image', previous: null, next: image, at });
    return image;
  });
}

/**
 * Sets what is given of a picture. One picture of a product is primary, always: another becomes it when this one is
 * not to be it any longer, if there is another. Refused: PRODUCT_NOT_FOUND, IMAGE_NOT_FOUND.
 */
export function changeImage(
  db: Db,
  { productId, imageId }: { productId: string; imageId: string },
  wish: Partial<Pick<ImageRow, 'alt' | 'isPrimary' | 'position'>>,
  by: Actor,
): Promise<ImageRow> {
  return inTransaction(db, async (tx) => {
    await requireProduct(tx, productId);
    const images = await imagesOf(tx, productId);
    const before = shown(requireImage(images, imageId));
    const next = images.find(({ id }) => id !== imageId);
    const isPrimary = next === undefined || (wish.isPrimary ?? before.isPrimary);
    const after = { ...before, ...wish, isPrimary };
    const changed = changedFields(before, after);
    if (!changed) return before;
    const at = new Date();
    if (isPrimary !== before.isPrimary) await makePrimary(tx, productId, isPrimary ? imageId : next.id);
    await execute(tx, 'UPDATE product_images SET alt = $2, position = $3 WHERE id = $1', [
      imageId,
      after.alt,
      after.position,
    ]);
    await touchProduct(tx, productId, at);
    await audit(tx, by, {
      id: productId,
      action: 'product.update-image',
      previous: { imageId, ...changed.previous },
      next: { imageId, ...changed.next },
      at,
    });
    return after;
  });
}

/**
 * Removes a picture; answers when, and the blobs that nobody needs now, for removal after the commit. After the primary
 * one the next is it. Chosen: a thumbnail stays as long as there are orders that show it. Refused as `changeImage`.
 */
export function deleteImage(
  db: Db,
  { productId, imageId }: { productId: string; imageId: string },
  by: Actor,
): Promise<{ deletedAt: Date; unwanted: string[] }> {
  return inTransaction(db, async (tx) => {
    // Against orders as well: one that is being placed may show the thumbnail.
    await requireProduct(tx, productId, 'changes and orders');
    const images = await imagesOf(tx, productId);
    const image = requireImage(images, imageId);
    const at = new Date();
    await execute(tx, 'DELETE FROM product_images WHERE id = $1', [imageId]);
    const next = images.find(({ id }) => id !== imageId);
    if (image.isPrimary && next) await makePrimary(tx, productId, next.id);
    const unwanted = await unwantedOf(tx, productId, image);
    await removeMedia(tx, unwanted);
    await discardBlobs(tx, unwanted);
    await touchProduct(tx, productId, at);
    const previous = shown(image);
    const gone = { imageId, deletedAt: at };
    await audit(tx, by, { id: productId, action: 'product.delete-image', previous, next: gone, at });
    return { deletedAt: at, unwanted };
  });
}

async function unwantedOf(tx: Tx, productId: string, image: KeptImage): Promise<string[]> {
  const thumbnailStays = await isShownInOrders(tx, productId, image.thumbnailUrl);
  return [image.mediaName, thumbnailStays ? null : image.thumbnailMediaName].filter((name) => name !== null);
}

function requireImage(images: readonly KeptImage[], id: string): KeptImage {
  const image = images.find((one) => one.id === id);
  if (!image) throw refusal('IMAGE_NOT_FOUND', 'This product has no such picture.');
  return image;
}

/** Two statements: at no moment may two pictures of a product be primary. Null: none, for the moment. */
async function makePrimary(tx: Tx, productId: string, imageId: string | null): Promise<void> {
  await execute(tx, 'UPDATE product_images SET is_primary = false WHERE product_id = $1 AND is_primary', [
    productId,
  ]);
  if (imageId !== null)
    await execute(tx, 'UPDATE product_images SET is_primary = true WHERE id = $1', [imageId]);
}

const shown = ({ id, url, thumbnailUrl, alt, isPrimary, position }: KeptImage): ImageRow => ({
  id,
  url,
  thumbnailUrl,
  alt,
  isPrimary,
  position,
});
