import { secondFactorOf } from '../../../db/identity/second-factor/second-factor.reads';
import { enableSecondFactor } from '../../../db/identity/second-factor/second-factor.writes';
import { inTransaction } from '../../../db/sql/transaction';
import { refusal } from '../../../workflows/errors';
import type { Context } from '../../http/handler-context';
import { hashOfBackupCode, newBackupCodes } from './backup-codes';
import { codeFor } from './codes/send-code';
import { takeCode } from './codes/take-code';
import { lockedCaller } from '../../users/locked-caller';
import { queueTwoFactorOnMail } from './notice';

/**
 * Turns the set-up second factor on with its first code, and ends all other sessions; returns the backup codes. A wrong
 * code stays counted, so it is refused after the transaction. Refused: SETUP_NOT_INITIATED, INVALID_CODE, CODE_EXPIRED.
 */
export async function verifySetup(code: string, context: Context<'user'>) {
  const { caller, db, identity, recordSecurityEvent } = context;
  const verified = await inTransaction(db, async (tx) => {
    const user = await lockedCaller(tx, caller);
    const factor = await secondFactorOf(tx, user.id);
    if (!factor || factor.isEnabled)
      throw refusal('SETUP_NOT_INITIATED', 'No two-factor setup is waiting for a code. Start one first.');
    const outcome = await takeCode(tx, identity, factor, code, codeFor('SETUP', user.id));
    if (outcome !== 'right') return { outcome };
    const backupCodes = newBackupCodes();
    await enableSecondFactor(tx, user.id, backupCodes.map(hashOfBackupCode), caller.sessionId);
    await queueTwoFactorOnMail(tx, context, user);
    return { outcome, method: factor.method, backupCodes };
  });
  if (verified.outcome === 'right') {
    const { method, backupCodes } = verified;
    recordSecurityEvent({ event: 'two-factor-on', outcome: 'success', account: caller.id, method });
    return { enabled: true as const, method, backupCodes };
  }
  if (verified.outcome === 'wrong') throw refusal('INVALID_CODE');
  throw refusal('CODE_EXPIRED', 'This code has expired. Start the setup again.');
}
