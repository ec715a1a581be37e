import { z } from 'zod';
import { twoFactorMethodOf } from '../../../db/identity/second-factor/second-factor.reads';
import { endpoint } from '../../http/endpoint';
import { authPerMinute } from '../../http/limits/limits';
import { ownPassword, requireOwnPassword } from '../own-password';
import { disableTwoFactorWith, twoFactorNotEnabled } from './disable.command';
import { proofCode } from './codes/take-code';

export const disableTwoFactor = endpoint({
  id: 'disableTwoFactor',
  returns: 'Signing in asks for no second factor any more',
  method: 'post',
  path: '/auth/2fa/disable',
  summary: 'Turn off two-factor sign-in',
  // Chosen: where codes come by SMS or email, a request without a code (or with a guess while none is waiting) has one
  // sent; the password must be right before that.
  description:
    'Needs the password and a current code or a backup code. Where codes come by SMS or email, ask without `code` first: one is sent, and the answer is INVALID_CODE. All other sessions end.',
  tag: 'Authentication',
  auth: 'user',
  limit: { ...authPerMinute(100), also: authPerMinute(5) },
  idempotent: false,

  body: z
    .object({
      password: ownPassword().describe(
        'The password of the account. Wrong ones count, and too many lock the account for a while.',
      ),
      code: proofCode().optional(),
    })
    .meta({ id: 'TwoFactorDisableRequest', example: { password: 'Buyer-demo-1!', code: '492039' } }),
  success: 200,
  data: z
    .object({
      disabled: z.literal(true).describe('Always true: there is no second factor any more.'),
      message: z.string(),
    })
    .meta({ id: 'TwoFactorDisabled', example: { disabled: true, message: 'Two-factor sign-in is off.' } }),
  errors: { TWO_FACTOR_NOT_ENABLED: 400, INVALID_PASSWORD: 401, INVALID_CODE: 401 },

  async handle({ body: { password, code } }, context) {
    const { caller, db } = context;
    if ((await twoFactorMethodOf(db, caller.id)) === null) throw twoFactorNotEnabled();
    const passwordHash = await requireOwnPassword(password, context);
    await disableTwoFactorWith(passwordHash, code, context);
    return { disabled: true as const, message: 'Two-factor sign-in is off.' };
  },
});
