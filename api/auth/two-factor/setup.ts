import { toDataURL } from 'qrcode';
import { z } from 'zod';
import { setUpSecondFactor } from '../../../db/identity/second-factor/second-factor.writes';
import { inTransaction } from '../../../db/sql/transaction';
import { refusal } from '../../../workflows/errors';
import { base32, inGroups } from '../../http/auth/base32';
import { endpoint, type Context } from '../../http/endpoint';
import { authPerMinute } from '../../http/limits/limits';
import { freshSignInErrors, passwordInstead, requireFreshSignIn, type FreshProof } from '../fresh-sign-in';
import { destinationOf, masked } from './codes/destination';
import { lockedCaller } from './locked-caller';
import { needsTotp } from './needs-totp';
import { sendCode } from './codes/send-code';
import { totpSeal } from './codes/take-code';

const TotpSetup = z
  .object({
    method: z.literal('TOTP'),
    secret: z.string().meta({ description: 'Base32.', example: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' }),
    qrCode: z
      .string()
      .meta({ description: 'A picture as a data URL.', example: 'data:image/png;base64,iVBORw0KGgo=' }),
    manualEntryKey: z.string().meta({
      description: 'The secret as it is best typed.',
      example: 'JBSW Y3DP EHPK 3PXP JBSW Y3DP EHPK 3PXP',
    }),
  })
  .meta({ id: 'TotpSetup' });

const SentSetup = z
  .object({
    method: z.enum(['SMS', 'EMAIL']),
    maskedDestination: z.string().meta({ description: 'Where the code went.', example: 'a***@example.com' }),
  })
  .meta({ id: 'SentCodeSetup' });

type UserContext = Context<'user'>;

export const setUpTwoFactor = endpoint({
  method: 'post',
  path: '/auth/2fa/setup',
  summary: 'Begin to turn on two-factor sign-in',
  description:
    'Nothing changes until a code was sent to `/auth/2fa/verify`: of the authenticator app, or the one sent now by SMS or e-mail. Set up again before that, the new setup takes the place of the old. Where administrators need a second factor, theirs is TOTP. Needs a session that was opened or confirmed lately, or the password.',
  tag: 'Authentication',
  auth: 'user',
  limit: authPerMinute(100),
  // An answer that is kept for a repetition would be a secret that is kept in the open.
  idempotent: false,

  body: z
    .object({ method: z.enum(['TOTP', 'SMS', 'EMAIL']), password: passwordInstead() })
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
    if (method !== 'TOTP' && needsTotp(context.identity, context.caller))
      throw refusal('VALIDATION_ERROR', 'The request is not valid.', {
        method: ['must be TOTP for an administrator'],
      });
    const proveFresh = await requireFreshSignIn(password, context);
    return method === 'TOTP' ? setUpTotp(context, proveFresh) : setUpSent(method, context, proveFresh);
  },
});

async function setUpTotp({ caller, db, identity }: UserContext, proveFresh: FreshProof) {
  const secret = identity.totp.newSecret();
  const sealed = identity.sealing.seal(secret, totpSeal(caller.id));
  await inTransaction(db, async (tx) => {
    await proveFresh(tx, await lockedCaller(tx, caller));
    if (!(await setUpSecondFactor(tx, caller.id, 'TOTP', sealed))) throw alreadyEnabled();
  });
  const text = base32(secret);
  return {
    method: 'TOTP' as const,
    secret: text,
    qrCode: await toDataURL(identity.totp.uri(secret, caller.email)),
    manualEntryKey: inGroups(text, 4, ' '),
  };
}

async function setUpSent(
  method: 'SMS' | 'EMAIL',
  { caller, db, identity }: UserContext,
  proveFresh: FreshProof,
) {
  return inTransaction(db, async (tx) => {
    const user = await lockedCaller(tx, caller);
    await proveFresh(tx, user);
    if (!(await setUpSecondFactor(tx, user.id, method, null))) throw alreadyEnabled();
    const destination = destinationOf(user, method);
    if (destination === null)
      throw method === 'SMS'
        ? refusal('PHONE_NOT_VERIFIED', 'Confirm your telephone number first.')
        : refusal('EMAIL_NOT_VERIFIED', 'Confirm your e-mail address first.');
    await sendCode(tx, identity, user, { purpose: 'SETUP', channel: method, destination });
    return { method, maskedDestination: masked(destination) };
  });
}

const alreadyEnabled = () =>
  refusal('TWO_FACTOR_ALREADY_ENABLED', 'Two-factor sign-in is on. Turn it off first to change its method.');
