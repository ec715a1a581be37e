import { randomUUID } from 'node:crypto';
import type { Attributes } from 'sequelize';
import { execute, type Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { MailedToken } from './mailed-token.model';
import { hashOfMailedToken, type TokenPurpose } from './mailed-token.reads';

type NewToken = Pick<Attributes<MailedToken>, 'id' | 'userId' | 'purpose'> & {
  lifetimeMs: number;
  at: Date;
  /** The state that undoing restores, sealed for `undo:<id>`. */
  undoSealed?: Buffer;
};

/**
 * Adds a token and returns it for the mail of the same transaction; only its hash is stored. It replaces the earlier
 * tokens of that purpose. The user's row is locked.
 */
export async function issueToken(
  tx: Tx,
  { id, userId, purpose, lifetimeMs, at, undoSealed }: NewToken,
): Promise<string> {
  await supersedeTokens(tx, userId, purpose, at);
  const token = randomUUID();
  await table(tx, MailedToken).insert({
    ...{ id, userId, purpose, tokenHash: hashOfMailedToken(token) },
    ...{ createdAt: at, expiresAt: new Date(at.getTime() + lifetimeMs) },
    undoSealed: undoSealed ?? null,
  });
  return token;
}

/** Uses a token up; false, with nothing done, if it is no longer good. `useId`: the request that uses it. */
export async function useToken(tx: Tx, id: string, at: Date, useId: string | null = null): Promise<boolean> {
  const used = await execute(
    tx,
    `UPDATE mailed_tokens SET used_at = $2, used_by = $3, undo_sealed = NULL
      WHERE id = $1 AND used_at IS NULL AND superseded_at IS NULL AND expires_at > $2`,
    [id, at, useId],
  );
  return used > 0;
}

/** Ends a user's unused tokens of one purpose. */
export async function supersedeTokens(
  tx: Tx,
  userId: string,
  purpose: TokenPurpose,
  at: Date,
): Promise<void> {
  await table(tx, MailedToken).update(superseded(at), { userId, purpose, ...UNUSED });
}

/** Ends a user's unused tokens of all purposes, since the address is no longer theirs. */
export async function supersedeAllTokens(tx: Tx, userId: string, at: Date): Promise<void> {
  await table(tx, MailedToken).update(superseded(at), { userId, ...UNUSED });
}

const UNUSED = { usedAt: null, supersededAt: null };
const superseded = (at: Date) => ({ supersededAt: at, undoSealed: null });
