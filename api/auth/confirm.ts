import { z } from 'zod';
import { confirmSession } from '../../db/identity/session/session.writes';
import { inTransaction } from '../../db/sql/transaction';
import { refusal, refusalIn } from '../../workflows/errors';
import { endpoint, type Context } from '../http/endpoint';
import { authPerMinute } from '../http/limits/limits';
import { reauthenticationRequired } from './fresh-sign-in';
import { ownPassword, requireOwnPassword, wrongPassword } from './own-password';
import { lockedCaller } from './two-factor/locked-caller';
import { proveCode, recordProvenCode, type ProvenCode } from './two-factor/codes/prove-code';
import { proofCode } from './two-factor/codes/take-code';

export const confirmSignIn = endpoint({
  method: 'post',
  path: '/auth/confirm',
  summary: 'Show once more who you are',
  description:
    'Makes this session as good as one just opened, for what needs that: turning on two-factor sign-in, telephone number, payout details, deletion. With two-factor sign-in its code is needed too; where codes come by SMS or e-mail, ask without `twoFactorCode` first: one is sent, and the answer is TWO_FACTOR_REQUIRED. Wrong guesses count as failed logins. An account without a password signs in anew instead.',
  tag: 'Authentication',
  auth: 'user',
  limit: authPerMinute(100),
  idempotent: false,

  body: z
    .object({ password: ownPassword(), twoFactorCode: proofCode().optional() })
    .meta({ id: 'ConfirmRequest', example: { password: 'Buyer-demo-1!' } }),
  success: 200,
  data: z.object({ confirmedUntil: z.iso.datetime() }).meta({ id: 'Confirmed' }),
  errors: {
    INVALID_PASSWORD: 401,
    TWO_FACTOR_REQUIRED: 401,
    INVALID_TWO_FACTOR_CODE: 401,
    REAUTHENTICATION_REQUIRED: 403,
  },

  async handle({ body: { password, twoFactorCode } }, context) {
    const { caller, policy, recordSecurityEvent } = context;
    try {
      const passwordHash = await requireOwnPassword(password, context, reauthenticationRequired);
      const at = await confirmWith(passwordHash, twoFactorCode, context);
      recordSecurityEvent({ event: 'confirm', outcome: 'success', account: caller.id });
      return { confirmedUntil: new Date(at.getTime() + policy.freshSignInMinutes * 60_000).toISOString() };
    } catch (error) {
      const reason = refusalIn(error)?.code;
      // Asking for the code is a step on the way.
      if (reason !== undefined && reason !== 'TWO_FACTOR_REQUIRED')
        recordSecurityEvent({ event: 'confirm', outcome: 'failure', account: caller.id, reason });
      throw error;
    }
  },
});

/** When the session was confirmed. A wrong code stays counted, so it is refused after the transaction. */
async function confirmWith(
  passwordHash: string,
  code: string | undefined,
  context: Context<'user'>,
): Promise<Date> {
  const { caller, db } = context;
  const { proven, at } = await inTransaction(db, async (tx) => {
    const user = await lockedCaller(tx, caller);
    if (user.passwordHash !== passwordHash) throw wrongPassword();
    const proven = await proveCode(tx, context, user, code, 'CONFIRM');
    if (proven.is !== 'right' && proven.is !== 'not enabled') return { proven, at: null };
    const at = await confirmSession(tx, caller.sessionId);
    if (!at) throw refusal('UNAUTHORIZED', 'This session has ended.');
    return { proven, at };
  });
  recordProvenCode(context, proven);
  return at ?? refused(proven);
}

function refused(proven: ProvenCode): never {
  switch (proven.is) {
    case 'sent':
      throw refusal('TWO_FACTOR_REQUIRED', `We have sent a code to ${proven.destination}. Send it along.`);
    case 'missing':
      throw refusal('TWO_FACTOR_REQUIRED', 'Send the code of your second factor along as `twoFactorCode`.');
    case 'wrong':
    case 'right':
    case 'not enabled':
      throw refusal('INVALID_TWO_FACTOR_CODE', 'The code is wrong.');
  }
}
