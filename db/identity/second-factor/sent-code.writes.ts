import { execute, firstRow, type Db, type Tx } from '../../sql/query';

export type CodePurpose = 'LOGIN' | 'SETUP' | 'DISABLE' | 'PHONE' | 'CONFIRM';
export type CodeChannel = 'SMS' | 'EMAIL';

/** Wrong guesses after which a code is worth nothing, the right guess too. */
const MOST_TRIES = 5;

/** Which code is meant: the last one sent to the user for this purpose, or for this one sign-in. */
export interface CodeName {
  userId: string;
  purpose: CodePurpose;
  /** The sign-in, by the hash of its temporary token; null for every other purpose. */
  boundTo: string | null;
}

export interface NewCode extends CodeName {
  id: string;
  channel: CodeChannel;
  destination: string;
  codeSealed: Buffer;
  lifetimeSeconds: number;
}

/** Remembers a code that is being sent, in the place of the one before. */
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

/** Ends every code that was sent to a user and not used. To be called with the user's row locked. */
export async function supersedeCodes(tx: Tx, userId: string, at: Date): Promise<void> {
  await execute(
    tx,
    `UPDATE sent_codes SET superseded_at = $2
      WHERE user_id = $1 AND used_at IS NULL AND superseded_at IS NULL`,
    [userId, at],
  );
}

/** What became of a guess. `none`: no code waits, for none was sent or it was used. */
export type Guess = { outcome: 'right'; destination: string } | { outcome: 'wrong' | 'expired' | 'none' };

/**
 * Holds a guess against the code that waits, and uses that up when it `matches`; a wrong guess is counted. Of any
 * number of right guesses exactly one is answered `right`.
 */
export async function guessSentCode(
  tx: Tx,
  { userId, purpose, boundTo }: CodeName,
  matches: (code: { id: string; codeSealed: Buffer }) => boolean,
): Promise<Guess> {
  const code = await firstRow<{
    id: string;
    codeSealed: Buffer;
    destination: string;
    tries: number;
    expired: boolean;
  }>(
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

/** Codes of the last hour, and when the oldest of them was sent. */
export interface Sent {
  count: number;
  secondsUntilOldestPasses: number;
}

/** What was sent to a user in the last hour, or of one purpose only. To be asked with the user's row locked. */
export async function codesSentTo(db: Db, userId: string, purpose: CodePurpose | null): Promise<Sent> {
  return sentWhere(db, 'user_id = $1::uuid AND ($2::text IS NULL OR purpose = $2)', [userId, purpose]);
}

/**
 * What was sent to a number or an address in the last hour for one purpose, whoever asked for it. Until the
 * transaction ends, others who ask of the same destination wait.
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
