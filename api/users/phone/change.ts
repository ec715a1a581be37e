import { z } from 'zod';
import { isPhoneProvenByAnother } from '../../../db/identity/user/phone.writes';
import { twoFactorMethodOf } from '../../../db/identity/second-factor/second-factor.reads';
import { inTransaction } from '../../../db/sql/transaction';
import { refusal } from '../../../workflows/errors';
import { masked } from '../../auth/two-factor/codes/destination';
import { lockedCaller } from '../../auth/two-factor/locked-caller';
import { sendCode } from '../../auth/two-factor/codes/send-code';
import { freshSignInErrors, passwordInstead, requireFreshSignIn } from '../../auth/fresh-sign-in';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { phoneNumber } from '../../http/request/person-fields';

export const changeMyPhone = endpoint({
  method: 'post',
  path: '/users/me/phone',
  summary: 'Send a code to a telephone number of yours',
  // Chosen: the number becomes the account's when its code comes back, and until then stands with the code only; so
  // nobody holds a number by naming it, and a slip of the finger loses nobody the number they have. While codes for
  // signing in go to the number, it stays: a stolen session must not be able to send them elsewhere.
  description:
    'The number is yours, and replaces the one before, once its code was sent to `/users/me/phone/verify`; the code is good for 10 minutes. An account causes at most 3 such messages an hour. While two-factor sign-in goes by SMS, the number cannot be changed. Needs a session that was opened or confirmed lately, or the password.',
  tag: 'Account',
  auth: 'user',
  limit: perMinute(100),

  body: z.object({ phone: phoneNumber(), password: passwordInstead() }).meta({ id: 'PhoneRequest' }),
  success: 200,
  data: z
    .object({ message: z.string(), maskedDestination: z.string().meta({ example: '+49*****820' }) })
    .meta({ id: 'PhoneCodeSent' }),
  errors: { ...freshSignInErrors, PHONE_ALREADY_EXISTS: 409 },

  async handle({ body }, context) {
    const { caller, conclude, db, identity } = context;
    // Not `atomic`: a wrong password is counted although the request is refused.
    const proveFresh = await requireFreshSignIn(body.password, context);
    return inTransaction(db, async (tx) => {
      const user = await lockedCaller(tx, caller);
      await proveFresh(tx, user);
      if ((await twoFactorMethodOf(tx, user.id)) === 'SMS')
        throw refusal('FORBIDDEN', 'Turn off two-factor sign-in by SMS before you change its number.');
      if (user.isPhoneVerified && user.phone === body.phone)
        throw refusal('PHONE_ALREADY_EXISTS', 'This is your number already.');
      if (await isPhoneProvenByAnother(tx, user.id, body.phone))
        throw refusal('PHONE_ALREADY_EXISTS', 'Another account has proven that this number is its own.');
      await sendCode(tx, identity, user, { purpose: 'PHONE', channel: 'SMS', destination: body.phone });
      const sent = { message: 'We have sent you a code.', maskedDestination: masked(body.phone) };
      await conclude(tx, sent);
      return sent;
    });
  },
});
