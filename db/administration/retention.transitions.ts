import { cartsKeptSince } from '../../workflows/commerce/cart.rules';
import { execute, type Db } from '../sql';
import { purgeWishes } from './idempotency.writes';

/** How long a session that is over can still be looked up, with its refresh tokens, when misuse is suspected. */
const ENDED_SESSION_DAYS = 30;

/** Deletes what is over its time at `at`; answers how many rows of each kind. */
export async function forgetExpired(
  db: Db,
  at: Date,
): Promise<Record<'idempotencyKeys' | 'sessions' | 'carts' | 'catalogueChanges', number>> {
  return {
    idempotencyKeys: await purgeWishes(db),
    sessions: await execute(
      db,
      `DELETE FROM sessions
       WHERE least(coalesce(revoked_at, expires_at), expires_at) < $1::timestamptz - make_interval(days => $2::int)`,
      [at, ENDED_SESSION_DAYS],
    ),
    carts: await execute(db, `DELETE FROM carts WHERE updated_at <= $1`, [cartsKeptSince(at)]),
    // Everyone reads them within seconds; whoever could not for minutes starts anew.
    catalogueChanges: await execute(
      db,
      `DELETE FROM catalogue_changes WHERE changed_at < $1::timestamptz - interval '1 hour'`,
      [at],
    ),
  };
}
