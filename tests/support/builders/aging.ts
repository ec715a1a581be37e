import { execute, type Db } from '../../../db/sql/query';

/** Lets minutes pass for all sessions of somebody, so that none is freshly signed in; they live on. */
export async function ageSessions(db: Db, { id }: { id: string }, minutes = 11): Promise<void> {
  await execute(
    db,
    `UPDATE sessions SET created_at = created_at - make_interval(mins => $2::int),
            confirmed_at = confirmed_at - make_interval(mins => $2::int) WHERE user_id = $1`,
    [id, minutes],
  );
}
