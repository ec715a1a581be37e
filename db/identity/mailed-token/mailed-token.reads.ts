import { createHash } from 'node:crypto';
import type { Attributes } from 'sequelize';
import type { Db } from '../../sql/query';
import { table } from '../../sql/table';
import { MailedToken as MailedTokenModel } from './mailed-token.model';

type Token = Attributes<MailedTokenModel>;
export type TokenPurpose = Token['purpose'];

/** The purposes of tokens that undo a change of the second factor or a deletion. */
export const UNDO_PURPOSES = ['UNDO_TWO_FACTOR_ON', 'UNDO_TWO_FACTOR_OFF', 'UNDO_DELETION'] as const;

const COLUMNS = [
  ...(['id', 'userId', 'purpose', 'undoSealed', 'expiresAt'] as const),
  ...(['usedAt', 'usedBy', 'supersededAt'] as const),
] as const;

/** A mailed token in its current state. `undoSealed` is sealed for `undo:<token id>`. */
export type MailedToken = Pick<Token, Exclude<(typeof COLUMNS)[number], 'supersededAt'>> & {
  /** Another token replaced it, or its purpose was settled by other means. */
  superseded: boolean;
};

/** True for a repeat of the request that used the token up. */
export const isUsedBy = ({ usedBy }: MailedToken, useId: string): boolean => usedBy === useId;

/** The stored hash of a mailed token (a UUID v4: 122 random bits). A reader of the database cannot present it. */
export const hashOfMailedToken = (token: string): string =>
  createHash('sha256').update(token.trim().toLowerCase()).digest('hex');

/** The presented token in any state; null if it is unknown or for another purpose. */
export async function presentedToken(
  db: Db,
  purpose: TokenPurpose | readonly TokenPurpose[],
  token: string,
): Promise<MailedToken | null> {
  const tokenHash = hashOfMailedToken(token);
  return stateOf(await table(db, MailedTokenModel).one(COLUMNS, { tokenHash, purpose: [purpose].flat() }));
}

/** A token by its id, else null. */
export async function mailedToken(db: Db, id: string): Promise<MailedToken | null> {
  return stateOf(await table(db, MailedTokenModel).one(COLUMNS, { id }));
}

function stateOf(found: Pick<Token, (typeof COLUMNS)[number]> | null): MailedToken | null {
  if (!found) return null;
  const { supersededAt, ...token } = found;
  return { ...token, superseded: supersededAt !== null };
}
