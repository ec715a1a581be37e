import type { Attributes } from 'sequelize';
import { firstRow, type Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { ProductImage } from './product-image.model';

/** A picture of a product as visitors see it. */
export type ImageRow = Pick<
  Attributes<ProductImage>,
  'id' | 'url' | 'thumbnailUrl' | 'alt' | 'isPrimary' | 'position'
>;

/** A picture as administrators change it, with the names of its blobs; null for one that is stored elsewhere. */
export type StoredImage = ImageRow & Pick<Attributes<ProductImage>, 'mediaName' | 'thumbnailMediaName'>;

/** The pictures of a product that the caller has locked, in the order in which they are shown. */
export const imagesOf = (tx: Tx, productId: string): Promise<StoredImage[]> =>
  table(tx, ProductImage).all(
    ['id', 'url', 'thumbnailUrl', 'alt', 'isPrimary', 'position', 'mediaName', 'thumbnailMediaName'],
    { productId },
    {
      order: [
        ['isPrimary', 'DESC'],
        ['position', 'ASC'],
        ['id', 'ASC'],
      ],
    },
  );

/** True if an order shows this thumbnail of a product. */
export async function isShownInOrders(tx: Tx, productId: string, thumbnailUrl: string): Promise<boolean> {
  const shown = await firstRow(
    tx,
    'SELECT 1 AS one FROM order_items WHERE product_id = $1 AND thumbnail_url = $2 LIMIT 1',
    [productId, thumbnailUrl],
  );
  return shown !== null;
}
