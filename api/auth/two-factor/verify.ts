import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { authPerMinute } from '../../http/limits/limits';
import { sixDigits } from './codes/take-code';
import { verifySetup } from './verify.command';
import { TwoFactorMethodField } from '../../users/account.view';

export const verifyTwoFactor = endpoint({
  id: 'enableTwoFactor',
  returns: 'The backup codes, shown this once',
  method: 'post',
  path: '/auth/2fa/verify',
  summary: 'Turn on two-factor sign-in',
  description:
    'Takes the first code of the new setup. The backup codes are shown now and never again; each replaces a code once. All other sessions end.',
  tag: 'Authentication',
  auth: 'user',
  limit: authPerMinute(100),
  // An answer stored for repeated requests would be secrets in plain text.
  idempotent: false,

  body: z
    .object({
      code: sixDigits().describe('The code that the second factor shows, or that was sent.'),
    })
    .meta({ id: 'TwoFactorVerifyRequest' }),
  success: 200,
  data: z
    .object({
      enabled: z.literal(true).describe('Always true: signing in now asks for the second factor.'),
      method: TwoFactorMethodField,
      backupCodes: z
        .array(z.string().meta({ example: 'PB4KXQ-3ZJ7WN-DT2VYH-6RLMCF' }))
        .describe('Codes, each good for one sign-in without the second factor. They are shown this once.'),
    })
    .meta({ id: 'TwoFactorEnabled' }),
  errors: { SETUP_NOT_INITIATED: 400, INVALID_CODE: 400, CODE_EXPIRED: 400 },

  handle: ({ body: { code } }, context) => verifySetup(code, context),
});
