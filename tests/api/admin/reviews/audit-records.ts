import { rows, type Db } from '../../../../db/sql/query';

/** The audit records of a review. */
export const recordsOf = (db: Db, reviewId: string) =>
  rows<{ actorId: string; action: string; previous: object; next: object }>(
    db,
    `SELECT actor_id, action, previous, next FROM audit_records WHERE entity_id = $1 ORDER BY sequence`,
    [reviewId],
  );
