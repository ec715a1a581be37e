import { execute, type Tx } from '../../sql/query';

/**
 * Counts a review of so many stars among what a product is rated by, or takes it out again (-1). To be called in the
 * transaction that publishes or hides the review, after the review's own row is written: whoever changes both takes
 * them in this order.
 */
export async function countRating(tx: Tx, productId: string, rating: number, by: 1 | -1): Promise<void> {
  await execute(tx, 'UPDATE products SET ratings[$2::int] = ratings[$2::int] + $3::int WHERE id = $1', [
    productId,
    rating,
    by,
  ]);
}
