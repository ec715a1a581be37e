import type { Attributes } from 'sequelize';
import { execute, firstRow, type Db, type Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { SentCode } from './sent-code.model';

type Code = Attributes<SentCode>;
export type CodePurpose = Code['purpose'];
export type CodeChannel = Code['channel'];

/** Wrong guesses after which a code is no longer accepted. */
const MOST_TRIES = 5;

/** Identifies a code: the last one sent to the user for this purpose, or for this one sign-in. */
export type CodeName = Pick<Code, 'userId' | 'purpose' | 'boundTo'>;

export type NewCode = CodeName &
  Pick<Code, 'id' | 'channel' | 'destination' | 'codeSealed'> & { lifetimeSeconds: number };

/** Stores a code that is being sent, which replaces the previous one. */
export async function recordSentCode(tx: Tx, code: NewCode): Promise<void> {
  await execute(
    tx,
    `UPDATE sent_codes SET superseded_at = now()
      WHERE user_id = $1 AND purpose = $2 AND bound_to IS NOT DISTINCT FROM $3
        AND used_at IS NULL AND superseded_at IS NULL`,
    [code.userId, code.purpose, code.boundTo],
  );
  await execute(
    tx,
    `INSERT INTO sent_codes (id, user_id, purpose, channel, destination, code_sealed, bound_to, created_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, now(), now() + make_interval(secs => $8))`,
    [
      code.id,
      code.userId,
      code.purpose,
      code.channel,
      code.destination,
      code.codeSealed,
      code.boundTo,
      code.lifetimeSeconds,
    ],
  );
}

/** Ends every unused code of a user. The user's row is locked. */
export async function supersedeCodes(tx: Tx, userId: string, at: Date): Promise<void> {
  await table(tx, SentCode).update({ supersededAt: at }, { userId, usedAt: null, supersededAt: null });
}

/** The result of a guess. `none`: no code is waiting, since none was sent or it was used. */
export type Guess = { outcome: 'right'; destination: string } | { outcome: 'wrong' | 'expired' | 'none' };

/**
 * Compares a guess with the waiting code, and uses that up if it `matches`; a wrong guess is counted. Exactly one of
 * several concurrent right guesses gets `right`.
 */
export async function guessSentCode(
  tx: Tx,
  { userId, purpose, boundTo }: CodeName,
  matches: (code: { id: string; codeSealed: Buffer }) => boolean,
): Promise<Guess> {
  const code = await firstRow<
    Pick<Code, 'id' | 'codeSealed' | 'destination' | 'tries'> & { expired: boolean }
  >(
    tx,
    `SELECT id, code_sealed, destination, tries, expires_at <= clock_timestamp() AS expired
       FROM sent_codes
      WHERE user_id = $1 AND purpose = $2 AND bound_to IS NOT DISTINCT FROM $3
        AND used_at IS NULL AND superseded_at IS NULL
        FOR UPDATE`,
    [userId, purpose, boundTo],
  );
  if (!code) return { outcome: 'none' };
  if (code.expired) return { outcome: 'expired' };
  if (code.tries >= MOST_TRIES) return { outcome: 'wrong' };
  if (!matches(code)) {
    await execute(tx, 'UPDATE sent_codes SET tries = tries + 1 WHERE id = $1', [code.id]);
    return { outcome: 'wrong' };
  }
  await execute(tx, 'UPDATE sent_codes SET used_at = now() WHERE id = $1', [code.id]);
  return { outcome: 'right', destination: code.destination };
}

/** The codes of the last hour. */
export interface Sent {
  count: number;
  /** Until the oldest of them is an hour old. */
  secondsUntilOldestPasses: number;
}

/** The codes sent to a user in the last hour, of one purpose or of all (null). The user's row is locked. */
export async function codesSentTo(db: Db, userId: string, purpose: CodePurpose | null): Promise<Sent> {
  return sentWhere(db, 'user_id = $1::uuid AND ($2::text IS NULL OR purpose = $2)', [userId, purpose]);
}

/**
 * The codes sent to a number or an address in the last hour for one purpose, by all accounts. Calls with the same
 * destination wait until the transaction ends.
 */
export async function codesSentToDestination(
  tx: Tx,
  destination: string,
  purpose: CodePurpose,
): Promise<Sent> {
  await execute(tx, `SELECT pg_advisory_xact_lock(hashtextextended('sent-code:' || $1, 0))`, [destination]);
  return sentWhere(tx, 'destination = $1 AND purpose = $2', [destination, purpose]);
}

async function sentWhere(db: Db, condition: string, bind: readonly unknown[]): Promise<Sent> {
  const sent = await firstRow<Sent>(
    db,
    `SELECT count(*)::int AS count,
            coalesce(ceil(extract(epoch FROM min(created_at) + interval '1 hour' - now())), 0)::int AS seconds_until_oldest_passes
       FROM sent_codes WHERE ${condition} AND created_at > now() - interval '1 hour'`,
    bind,
  );
  return sent ?? { count: 0, secondsUntilOldestPasses: 0 };
}
