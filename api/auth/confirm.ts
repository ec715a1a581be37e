import { z } from 'zod';
import { refusalIn } from '../../workflows/errors';
import { endpoint } from '../http/endpoint';
import { authPerMinute } from '../http/limits/limits';
import { confirmWith } from './confirm.command';
import { reauthenticationRequired } from './fresh-sign-in';
import { ownPassword, requireOwnPassword } from './own-password';
import { proofCode } from './two-factor/codes/take-code';

export const confirmSignIn = endpoint({
  id: 'confirmIdentity',
  returns: 'Until when the session counts as freshly signed in',
  method: 'post',
  path: '/auth/confirm',
  summary: 'Prove again who you are',
  description:
    'Makes this session count as one just opened, for requests that require that: turning on two-factor sign-in, phone number, payout details, deletion. With two-factor sign-in its code is required too; where codes come by SMS or email, ask without `twoFactorCode` first: one is sent, and the answer is TWO_FACTOR_REQUIRED. Wrong guesses count as failed sign-ins. An account without a password signs in again instead.',
  tag: 'Authentication',
  auth: 'user',
  limit: authPerMinute(100),
  idempotent: false,

  body: z
    .object({
      password: ownPassword().describe(
        'The password of the account. Wrong ones count, and too many lock the account for a while.',
      ),
      twoFactorCode: proofCode().optional(),
    })
    .meta({ id: 'ConfirmRequest', example: { password: 'Buyer-demo-1!' } }),
  success: 200,
  data: z
    .object({
      confirmedUntil: z.iso.datetime().describe('Until then the session may do what needs a fresh sign-in.'),
    })
    .meta({ id: 'Confirmed' }),
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
      // Being asked for the code is a step of the confirmation, not a failure.
      if (reason !== undefined && reason !== 'TWO_FACTOR_REQUIRED')
        recordSecurityEvent({ event: 'confirm', outcome: 'failure', account: caller.id, reason });
      throw error;
    }
  },
});
