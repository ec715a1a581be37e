import { audited } from '../../../../db/administration/audit/audit.writes';
import { changedFields } from '../../../../db/administration/audit/changed-fields';
import { imagesOf } from '../../../../db/catalog/image/product-image.reads';
import { makePrimary, updateImage } from '../../../../db/catalog/image/product-image.writes';
import { touchProduct } from '../../../../db/catalog/product/administered-product.writes';
import type { ImageRow } from '../../../../db/catalog/image/product-image.reads';
import type { Db } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import type { Actor } from '../../actor';
import { requireProduct } from '../product.requirements';
import { requireImage, withoutBlobs, type ImageKey } from './image.requirements';

export type ImageChanges = Partial<Pick<ImageRow, 'alt' | 'isPrimary' | 'position'>>;

/**
 * Sets the given fields of a picture. A product with pictures always has one primary picture: when this one stops being
 * it, the next becomes it, if there is another. Refused: PRODUCT_NOT_FOUND, IMAGE_NOT_FOUND.
 */
export function changeImage(
  db: Db,
  { productId, imageId }: ImageKey,
  changes: ImageChanges,
  by: Actor,
): Promise<ImageRow> {
  return inTransaction(db, async (tx) => {
    await requireProduct(tx, productId);
    const images = await imagesOf(tx, productId);
    const before = withoutBlobs(requireImage(images, imageId));
    const next = images.find(({ id }) => id !== imageId);
    const isPrimary = next === undefined || (changes.isPrimary ?? before.isPrimary);
    const after = { ...before, ...changes, isPrimary };
    const changed = changedFields(before, after);
    if (!changed) return before;
    const at = new Date();
    if (isPrimary !== before.isPrimary) await makePrimary(tx, productId, isPrimary ? imageId : next.id);
    await updateImage(tx, imageId, after);
    await touchProduct(tx, productId, at);
    await audited(tx, { ...by, at }, 'product.update-image', productId, before, after, { imageId });
    return after;
  });
}
