import { z } from 'zod';
import { freshSignInErrors, passwordInstead } from '../../auth/fresh-sign-in';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { phoneNumber } from '../../http/request/person-fields';
import { sendPhoneCode } from './change.command';

export const changeMyPhone = endpoint({
  id: 'startPhoneChange',
  returns: 'Where the code was sent',
  method: 'post',
  path: '/users/me/phone',
  summary: 'Send a code to my new phone number',
  // Chosen: the number becomes the account's when its code comes back, and until then is stored with the code only. So
  // naming a number does not reserve it, and a typing error does not lose the number before. While codes for signing in
  // go to the number, it stays: a stolen session must not be able to redirect them.
  description:
    'The number is yours, and replaces the one before, once its code was sent to `/users/me/phone/verify`; the code is good for 10 minutes. An account causes at most 3 such messages an hour. While two-factor sign-in goes by SMS, the number cannot be changed. Requires a session that was opened or confirmed lately, or the password.',
  tag: 'Account',
  auth: 'user',
  limit: perMinute(100),

  body: z.object({ phone: phoneNumber(), password: passwordInstead() }).meta({ id: 'PhoneRequest' }),
  success: 200,
  data: z
    .object({
      message: z.string(),
      maskedDestination: z
        .string()
        .meta({ description: 'Where the code was sent, partly hidden.', example: '+49*****820' }),
    })
    .meta({ id: 'PhoneCodeSent' }),
  errors: { ...freshSignInErrors, PHONE_ALREADY_EXISTS: 409 },

  handle: ({ body }, context) => sendPhoneCode(context, body),
});
