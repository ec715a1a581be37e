import { execute, type Tx } from '../../sql/query';

/**
 * Takes a person out of the reviews, before what is personal is erased, their votes among it: those are counted no
 * more, and what was never shown goes. Chosen: what is published stays, as the opinion of nobody any more: others
 * decide by it, the product's rating rests on it, and nothing in it was found to point to a person.
 */
export async function withdrawReviewer(tx: Tx, userId: string): Promise<void> {
  await execute(
    tx,
    `WITH helpful AS (
       SELECT r.id FROM reviews r JOIN review_votes v ON v.review_id = r.id WHERE v.user_id = $1
       ORDER BY r.id FOR NO KEY UPDATE OF r)
     UPDATE reviews r SET helpful_count = r.helpful_count - 1 FROM helpful WHERE r.id = helpful.id`,
    [userId],
  );
  await execute(tx, `DELETE FROM reviews WHERE user_id = $1 AND status <> 'PUBLISHED'`, [userId]);
}
