import { z } from 'zod';
import { sixDigits } from '../../auth/two-factor/codes/take-code';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { verifyPhone } from './verify.command';

export const verifyMyPhone = endpoint({
  id: 'verifyPhone',
  returns: 'The phone number, which is now verified',
  method: 'post',
  path: '/users/me/phone/verify',
  summary: 'Confirm a phone number by its code',
  description: 'Takes the number from any account that only named it.',
  tag: 'Account',
  auth: 'user',
  limit: perMinute(100),

  body: z
    .object({
      code: sixDigits().describe('The code that was sent to the number.'),
    })
    .meta({ id: 'PhoneVerifyRequest' }),
  success: 200,
  data: z
    .object({
      phone: z.string().meta({ example: '+4930901820' }),
      phoneVerified: z.literal(true).describe('Always true: the number is proven.'),
    })
    .meta({ id: 'PhoneVerified' }),
  errors: { SETUP_NOT_INITIATED: 400, INVALID_CODE: 400, CODE_EXPIRED: 400 },

  handle: ({ body }, context) => verifyPhone(context, body.code),
});
