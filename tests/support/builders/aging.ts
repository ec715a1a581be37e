import { execute, type Db } from '../../../db/sql/query';

/** Moves the sessions of a user into the past, so that no sign-in is fresh; they stay live. */
export async function ageSessions(db: Db, { id }: { id: string }, minutes = 11): Promise<void> {
  await execute(
    db,
    `UPDATE sessions SET created_at = created_at - make_interval(mins => $2::int),
            confirmed_at = confirmed_at - make_interval(mins => $2::int) WHERE user_id = $1`,
    [id, minutes],
  );
}
