import type { Db } from '../../../../db/sql/query';
import { held, waiting } from '../../checks/held-locks';

/** Lets works that lock the same user wait for that lock together, so that they are carried out at once, in this order. */
export async function inOrder(
  db: Db,
  userId: string,
  works: readonly (() => Promise<unknown>)[],
): Promise<void> {
  const user = await held(db, `SELECT 1 FROM users WHERE id = '${userId}' FOR UPDATE`);
  const started: Promise<unknown>[] = [];
  for (const work of works) {
    started.push(work());
    await waiting(db, started.length);
  }
  await user.release();
  await Promise.all(started);
}
