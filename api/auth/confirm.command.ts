import { confirmSession } from '../../db/identity/session/session.writes';
import { inTransaction } from '../../db/sql/transaction';
import { refusal } from '../../workflows/errors';
import type { Context } from '../http/handler-context';
import { wrongPassword } from './own-password';
import { lockedCaller } from '../users/locked-caller';
import { proveCode, recordProvenCode, type ProvenCode } from './two-factor/codes/prove-code';

/**
 * Confirms the caller's session with the checked password and a code; returns when. A wrong code stays counted, so it is
 * refused after the transaction. Refused: INVALID_PASSWORD, TWO_FACTOR_REQUIRED, INVALID_TWO_FACTOR_CODE.
 */
export async function confirmWith(
  passwordHash: string,
  code: string | undefined,
  context: Context<'user'>,
): Promise<Date> {
  const { caller, db } = context;
  const { proven, at } = await inTransaction(db, async (tx) => {
    const user = await lockedCaller(tx, caller);
    if (user.passwordHash !== passwordHash) throw wrongPassword();
    const proven = await proveCode(tx, context, user, code, 'CONFIRM');
    if (proven.is !== 'right' && proven.is !== 'not-enabled') return { proven, at: null };
    const at = await confirmSession(tx, caller.sessionId);
    if (!at) throw refusal('UNAUTHORIZED', 'This session has ended. Sign in again.');
    return { proven, at };
  });
  recordProvenCode(context, proven);
  return at ?? refuseCode(proven);
}

function refuseCode(proven: ProvenCode): never {
  switch (proven.is) {
    case 'sent':
      throw refusal(
        'TWO_FACTOR_REQUIRED',
        `We have sent a code to ${proven.destination}. Send it as \`twoFactorCode\`.`,
      );
    case 'missing':
      throw refusal('TWO_FACTOR_REQUIRED');
    case 'wrong':
    case 'right':
    case 'not-enabled':
      throw refusal('INVALID_TWO_FACTOR_CODE');
  }
}
