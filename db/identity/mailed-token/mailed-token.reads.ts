import { createHash } from 'node:crypto';
import { firstRow, type Db } from '../../sql/query';

/** What the tokens undo that mails about a second factor or a deletion carry. */
export const UNDO_PURPOSES = ['UNDO_TWO_FACTOR_ON', 'UNDO_TWO_FACTOR_OFF', 'UNDO_DELETION'] as const;

type UndoPurpose = (typeof UNDO_PURPOSES)[number];

export type TokenPurpose = 'VERIFY_EMAIL' | 'RESET_PASSWORD' | UndoPurpose;

/** A token that was mailed, as it stands. */
export interface MailedToken {
  id: string;
  userId: string;
  purpose: TokenPurpose;
  expiresAt: Date;
  usedAt: Date | null;
  /** The request that used it; null where none was named. */
  usedBy: string | null;
  /** Another took its place. */
  superseded: boolean;
  /** What undoing brings back, sealed for `undo:<token id>`; null where that is nothing. */
  undoSealed: Buffer | null;
}

const COLUMNS = `id, user_id, purpose, undo_sealed, expires_at, used_at,
  used_by, superseded_at IS NOT NULL AS superseded`;

/** The request that presents a token, and its process's time. Requests are not named in what was asked long ago. */
export interface TokenUse {
  useId?: string;
  at: Date;
}

/** Whether this very use has used the token up. Uses at one moment are told apart by their requests. */
export const isUsedBy = ({ usedAt, usedBy }: MailedToken, { useId, at }: TokenUse): boolean =>
  useId === undefined ? usedAt?.getTime() === at.getTime() : usedBy === useId;

/** What is kept of a mailed token (a UUID v4, so 122 random bits): whoever reads the database cannot present it. */
export const hashOfMailedToken = (token: string): string =>
  createHash('sha256').update(token.trim().toLowerCase()).digest('hex');

/** The token that somebody presents, in whatever state it is; null when it is not one of ours, or is for something else. */
export async function presentedToken(
  db: Db,
  purpose: TokenPurpose | readonly TokenPurpose[],
  token: string,
): Promise<MailedToken | null> {
  return firstRow<MailedToken>(
    db,
    `SELECT ${COLUMNS} FROM mailed_tokens WHERE token_hash = $1 AND purpose = ANY ($2)`,
    [hashOfMailedToken(token), [purpose].flat()],
  );
}

/** A token by its id, else null. */
export async function mailedToken(db: Db, id: string): Promise<MailedToken | null> {
  return firstRow<MailedToken>(db, `SELECT ${COLUMNS} FROM mailed_tokens WHERE id = $1`, [id]);
}
