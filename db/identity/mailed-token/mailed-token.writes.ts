import { randomUUID } from 'node:crypto';
import { execute, type Tx } from '../../sql/query';
import { hashOfMailedToken, type TokenPurpose } from './mailed-token.reads';

interface NewToken {
  id: string;
  userId: string;
  purpose: TokenPurpose;
  lifetimeMs: number;
  at: Date;
  /** What undoing is to bring back, sealed for `undo:<id>`. */
  undoSealed?: Buffer;
}

/**
 * Makes a token and answers it, for the mail that is written in the same transaction; it is kept as a hash only. The
 * tokens mailed before for the same purpose are no longer good. The caller has locked the user's row.
 */
export async function issueToken(
  tx: Tx,
  { id, userId, purpose, lifetimeMs, at, undoSealed }: NewToken,
): Promise<string> {
  await supersedeTokens(tx, userId, purpose, at);
  const token = randomUUID();
  await execute(
    tx,
    `INSERT INTO mailed_tokens (id, user_id, purpose, token_hash, created_at, expires_at, undo_sealed)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [
      ...[id, userId, purpose, hashOfMailedToken(token), at, new Date(at.getTime() + lifetimeMs)],
      undoSealed ?? null,
    ],
  );
  return token;
}

/** Uses a token up; false, with nothing done, unless it was good until now. `useId`: the request that uses it. */
export async function useToken(tx: Tx, id: string, at: Date, useId: string | null = null): Promise<boolean> {
  const used = await execute(
    tx,
    `UPDATE mailed_tokens SET used_at = $2, used_by = $3, undo_sealed = NULL
      WHERE id = $1 AND used_at IS NULL AND superseded_at IS NULL AND expires_at > $2`,
    [id, at, useId],
  );
  return used > 0;
}

/** Ends what was mailed to a user for a purpose and not used. */
export async function supersedeTokens(
  tx: Tx,
  userId: string,
  purpose: TokenPurpose,
  at: Date,
): Promise<void> {
  await execute(
    tx,
    `UPDATE mailed_tokens SET superseded_at = $3, undo_sealed = NULL
      WHERE user_id = $1 AND purpose = $2 AND used_at IS NULL AND superseded_at IS NULL`,
    [userId, purpose, at],
  );
}

/** Ends everything that was mailed to a user and not used, whatever it was for: the address is no longer theirs. */
export async function supersedeAllTokens(tx: Tx, userId: string, at: Date): Promise<void> {
  await execute(
    tx,
    `UPDATE mailed_tokens SET superseded_at = $2, undo_sealed = NULL
      WHERE user_id = $1 AND used_at IS NULL AND superseded_at IS NULL`,
    [userId, at],
  );
}
