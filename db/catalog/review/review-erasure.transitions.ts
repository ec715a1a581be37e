import { execute, type Tx } from '../../sql/query';

/**
 * Removes a user's votes from the counts and deletes their unpublished reviews, before the account is erased. Chosen:
 * published reviews stay without a name, since others rely on them, the ratings count them, and moderation found no
 * contact details in them.
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
