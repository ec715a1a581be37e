import { firstRow, rows, type Tx } from '../../sql/query';
import type { ImageRow } from '../product/shop-product-columns.reads';

/** A picture as an administrator handles it, with its blobs when they are ours. */
export interface KeptImage extends ImageRow {
  mediaName: string | null;
  thumbnailMediaName: string | null;
}

/** The pictures of a product that the caller has locked, in the order in which they are shown. */
export function imagesOf(tx: Tx, productId: string): Promise<KeptImage[]> {
  return rows<KeptImage>(
    tx,
    `SELECT id, url, thumbnail_url, alt, is_primary, position,
       media_name, thumbnail_media_name
     FROM product_images WHERE product_id = $1 ORDER BY is_primary DESC, position, id`,
    [productId],
  );
}

/** Whether an order shows this thumbnail of a product. */
export async function isShownInOrders(tx: Tx, productId: string, thumbnailUrl: string): Promise<boolean> {
  const shown = await firstRow(
    tx,
    'SELECT 1 AS one FROM order_items WHERE product_id = $1 AND thumbnail_url = $2 LIMIT 1',
    [productId, thumbnailUrl],
  );
  return shown !== null;
}
