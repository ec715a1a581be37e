import { z } from 'zod';
import { businessRefusal } from '../../../workflows/errors';
import { endpoint } from '../../http/endpoint';
import { authPerMinute } from '../../http/limits/limits';
import { freshSignInErrors, passwordInstead, requireFreshSignIn } from '../fresh-sign-in';
import { requiresTotp } from './requires-totp';
import { setUpSentCodes, setUpTotp } from './setup.command';
import { TwoFactorMethodField } from '../../users/account.view';

const TotpSetup = z
  .object({
    method: z.literal('TOTP').describe('An authenticator app.'),
    secret: z.string().meta({ description: 'Base32.', example: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' }),
    qrCode: z
      .string()
      .meta({ description: 'An image as a data URL.', example: 'data:image/png;base64,iVBORw0KGgo=' }),
    manualEntryKey: z.string().meta({
      description: 'The secret in groups, easier to type.',
      example: 'JBSW Y3DP EHPK 3PXP JBSW Y3DP EHPK 3PXP',
    }),
  })
  .meta({ id: 'TotpSetup' });

const SentSetup = z
  .object({
    method: z.enum(['SMS', 'EMAIL']).describe('How the codes are sent.'),
    maskedDestination: z.string().meta({ description: 'Where the code went.', example: 'a***@example.com' }),
  })
  .meta({ id: 'SentCodeSetup' });

export const setUpTwoFactor = endpoint({
  id: 'setUpTwoFactor',
  returns: 'The secret for an authenticator app, or where a code was sent',
  method: 'post',
  path: '/auth/2fa/setup',
  summary: 'Begin to turn on two-factor sign-in',
  description:
    'Nothing changes until a code is sent to `/auth/2fa/verify`: of the authenticator app, or the one sent now by SMS or email. A new setup before that replaces the old one. Where administrators need a second factor, theirs is TOTP. Needs a session that was opened or confirmed recently, or the password.',
  tag: 'Authentication',
  auth: 'user',
  limit: authPerMinute(100),
  // An answer stored for repeated requests would be a secret in plain text.
  idempotent: false,

  body: z
    .object({
      method: TwoFactorMethodField,
      password: passwordInstead(),
    })
    .meta({ id: 'TwoFactorSetupRequest', example: { method: 'TOTP' } }),
  success: 200,
  data: z.union([TotpSetup, SentSetup]),
  errors: {
    ...freshSignInErrors,
    PHONE_NOT_VERIFIED: 400,
    EMAIL_NOT_VERIFIED: 400,
    TWO_FACTOR_ALREADY_ENABLED: 409,
  },

  async handle({ body: { method, password } }, context) {
    if (method !== 'TOTP' && requiresTotp(context.identity, context.caller))
      throw businessRefusal('TOTP_REQUIRED', 'Administrators sign in with an authenticator app (TOTP).', {
        method: ['must be TOTP'],
      });
    const proveFresh = await requireFreshSignIn(password, context);
    return method === 'TOTP' ? setUpTotp(context, proveFresh) : setUpSentCodes(method, context, proveFresh);
  },
});
