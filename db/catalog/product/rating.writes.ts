import { execute, type Tx } from '../../sql/query';

/**
 * Adds a review's stars to the ratings of its product, or removes them (-1). To be called in the transaction that
 * publishes or hides the review and after the review's row is written: both rows are locked in this order everywhere.
 */
export async function countRating(tx: Tx, productId: string, rating: number, by: 1 | -1): Promise<void> {
  await execute(tx, 'UPDATE products SET ratings[$2::int] = ratings[$2::int] + $3::int WHERE id = $1', [
    productId,
    rating,
    by,
  ]);
}
