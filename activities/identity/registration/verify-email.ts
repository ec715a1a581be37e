import { isUsedBy, mailedToken } from '../../../db/identity/mailed-token/mailed-token.reads';
import { useToken } from '../../../db/identity/mailed-token/mailed-token.writes';
import { activateVerified, lockAccount } from '../../../db/identity/registration/registration.transitions';
import type { Tx } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { refusal } from '../../../workflows/errors';
import type { VerifyEmailCommand } from '../../../workflows/identity/registration/registration.contract';
import { alreadyVerified } from './registration-state';
import type { RegistrationDeps } from './verification-mail';

/** Uses the token up and activates the account. */
export const verifyEmail = (
  { db }: RegistrationDeps,
  command: VerifyEmailCommand,
): Promise<{ verifiedAt: string }> => inTransaction(db, (tx) => verifyEmailIn(tx, command));

async function verifyEmailIn(
  tx: Tx,
  { userId, tokenId, useId, at }: VerifyEmailCommand,
): Promise<{ verifiedAt: string }> {
  const account = await lockAccount(tx, userId);
  const token = await mailedToken(tx, tokenId);
  if (!account || token?.userId !== userId) throw refusal('INVALID_TOKEN');
  const verifiedAt = new Date(at);
  if (token.usedAt !== null && isUsedBy(token, useId)) return { verifiedAt: token.usedAt.toISOString() }; // A retry.
  if (account.emailVerifiedAt !== null) throw alreadyVerified();
  if (token.superseded || account.status !== 'PENDING_VERIFICATION') throw refusal('INVALID_TOKEN');
  if (!(await useToken(tx, tokenId, verifiedAt, useId))) throw refusal('TOKEN_EXPIRED');
  await activateVerified(tx, userId, verifiedAt);
  return { verifiedAt: at };
}
