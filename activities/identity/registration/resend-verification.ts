import { mailedToken } from '../../../db/identity/mailed-token/mailed-token.reads';
import { lockAccount } from '../../../db/identity/registration/registration.transitions';
import { inTransaction } from '../../../db/sql/transaction';
import { refusal } from '../../../workflows/errors';
import type { RegisterCommand } from '../../../workflows/identity/registration/registration.contract';
import { alreadyVerified } from './registration-state';
import { queueVerificationMail, type RegistrationDeps } from './verification-mail';

/** Mails a new token, which replaces the earlier ones. */
export const resendVerification = (
  { db, policy }: RegistrationDeps,
  { userId, tokenId, at }: RegisterCommand,
): Promise<null> =>
  inTransaction(db, async (tx) => {
    const account = await lockAccount(tx, userId);
    if (!account) throw refusal('USER_NOT_FOUND', 'No account uses this email address.');
    if (await mailedToken(tx, tokenId)) return null;
    if (account.status !== 'PENDING_VERIFICATION') throw alreadyVerified();
    await queueVerificationMail(tx, account, { userId, tokenId, at: new Date(at) }, policy);
    return null;
  });
