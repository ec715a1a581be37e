import { cartsKeptSince } from '../../workflows/commerce/cart.rules';
import { TOUCH_DAYS } from '../partners/referral-touch.writes';
import type { Policy } from '../policy/config';
import { execute, type Db } from '../sql';
import { purgeWishes } from './idempotency.writes';

/** How long a session that is over can still be looked up, with its refresh tokens, when misuse is suspected. */
const ENDED_SESSION_DAYS = 30;

/** Deletes what is over its time at `at`; answers how many rows of each kind. */
export async function forgetExpired(
  db: Db,
  at: Date,
  policy: Policy,
): Promise<
  Record<
    'idempotencyKeys' | 'sessions' | 'signInCodes' | 'carts' | 'catalogueChanges' | 'wishes' | 'touches',
    number
  >
> {
  return {
    idempotencyKeys: await purgeWishes(db),
    sessions: await execute(
      db,
      `DELETE FROM sessions
       WHERE least(coalesce(revoked_at, expires_at), expires_at) < $1::timestamptz - make_interval(days => $2::int)`,
      [at, ENDED_SESSION_DAYS],
    ),
    signInCodes: await forgetSignInCodes(db, at),
    carts: await execute(db, `DELETE FROM carts WHERE updated_at <= $1`, [
      cartsKeptSince(at, policy.cartDays),
    ]),
    // Everyone reads them within seconds; whoever could not for minutes starts anew.
    catalogueChanges: await execute(
      db,
      `DELETE FROM catalogue_changes WHERE changed_at < $1::timestamptz - interval '1 hour'`,
      [at],
    ),
    wishes: await forgetWishes(db, at),
    touches: await forgetVisitors(db, at),
  };
}

/** Whoever followed a link and let its cookies run out; that somebody came, and by what, stays counted. */
async function forgetVisitors(db: Db, at: Date): Promise<number> {
  return execute(
    db,
    `UPDATE referral_touches SET ip_address = NULL, user_agent = NULL
       WHERE last_touch_at < $1::timestamptz - make_interval(days => $2::int)
         AND num_nonnulls(ip_address, user_agent) > 0`,
    [at, TOUCH_DAYS],
  );
}

/** What people typed to come in, and nobody carried out: whoever wanted it has long asked again. */
async function forgetWishes(db: Db, at: Date): Promise<number> {
  const dayOld = `created_at < $1::timestamptz - interval '1 day'`;
  const registrations = await execute(db, `DELETE FROM registration_wishes WHERE ${dayOld}`, [at]);
  return registrations + (await execute(db, `DELETE FROM reset_wishes WHERE ${dayOld}`, [at]));
}

/** A day is long enough to hold people to the hourly limits, and to see what happened. */
async function forgetSignInCodes(db: Db, at: Date): Promise<number> {
  const dayBefore = `$1::timestamptz - interval '1 day'`;
  const codes = await execute(db, `DELETE FROM sent_codes WHERE expires_at < ${dayBefore}`, [at]);
  const signIns = await execute(db, `DELETE FROM login_challenges WHERE expires_at < ${dayBefore}`, [at]);
  const setups = await execute(
    db,
    `DELETE FROM second_factors WHERE enabled_at IS NULL AND created_at < ${dayBefore}`,
    [at],
  );
  return codes + signIns + setups;
}
