import {
  disableSecondFactor,
  secondFactorToKeep,
} from '../../../db/identity/second-factor/second-factor.writes';
import { inTransaction } from '../../../db/sql/transaction';
import { refusal } from '../../../workflows/errors';
import type { Context } from '../../http/handler-context';
import { wrongPassword } from '../own-password';
import { proveCode, recordProvenCode } from './codes/prove-code';
import { lockedCaller } from '../../users/locked-caller';
import { queueTwoFactorOffMail } from './notice';

/**
 * Turns the caller's second factor off with the checked password and a code, and ends all other sessions. A wrong code
 * stays counted, so it is refused after the transaction. Refused: INVALID_PASSWORD, INVALID_CODE, TWO_FACTOR_NOT_ENABLED.
 */
export async function disableTwoFactorWith(
  passwordHash: string,
  code: string | undefined,
  context: Context<'user'>,
): Promise<void> {
  const { caller, db } = context;
  const proven = await inTransaction(db, async (tx) => {
    const user = await lockedCaller(tx, caller);
    if (user.passwordHash !== passwordHash) throw wrongPassword();
    const proven = await proveCode(tx, context, user, code, 'DISABLE');
    if (proven.is !== 'right') return proven;
    const kept = await secondFactorToKeep(tx, user.id);
    await disableSecondFactor(tx, user.id, caller.sessionId);
    if (kept) await queueTwoFactorOffMail(tx, context, user, kept);
    return proven;
  });
  recordProvenCode(context, proven);
  switch (proven.is) {
    case 'right':
      context.recordSecurityEvent({ event: 'two-factor-off', outcome: 'success', account: caller.id });
      return;
    case 'not-enabled':
      throw twoFactorNotEnabled();
    case 'missing':
    case 'wrong':
      throw refusal('INVALID_CODE');
    case 'sent':
      throw refusal('INVALID_CODE', `We have sent a code to ${proven.destination}. Send it as \`code\`.`);
  }
}

/** The refusal for an account without a second factor in force. */
export const twoFactorNotEnabled = () => refusal('TWO_FACTOR_NOT_ENABLED');
