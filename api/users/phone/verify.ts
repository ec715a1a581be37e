import { z } from 'zod';
import { lockAwaitedPhone, setVerifiedPhone } from '../../../db/identity/user/phone.writes';
import { twoFactorMethodOf } from '../../../db/identity/second-factor/second-factor.reads';
import { guessSentCode } from '../../../db/identity/second-factor/sent-code.writes';
import { violates } from '../../../db/sql/errors';
import { inTransaction } from '../../../db/sql/transaction';
import { refusal } from '../../../workflows/errors';
import { lockedCaller } from '../../auth/two-factor/locked-caller';
import { codeFor, isCode } from '../../auth/two-factor/codes/send-code';
import { sixDigits } from '../../auth/two-factor/codes/take-code';
import { endpoint, type Context } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';

export const verifyMyPhone = endpoint({
  method: 'post',
  path: '/users/me/phone/verify',
  summary: 'Confirm a telephone number by its code',
  tag: 'Account',
  auth: 'user',
  limit: perMinute(100),

  body: z.object({ code: sixDigits() }).meta({ id: 'PhoneVerifyRequest' }),
  success: 200,
  data: z
    .object({ phone: z.string().meta({ example: '+4930901820' }), phoneVerified: z.literal(true) })
    .meta({ id: 'PhoneVerified' }),
  errors: { SETUP_NOT_INITIATED: 400, INVALID_CODE: 400, CODE_EXPIRED: 400 },

  async handle({ body: { code } }, context) {
    const guess = await guessed(code, context);
    switch (guess.outcome) {
      case 'right':
        return proven(guess.destination);
      case 'wrong':
        throw refusal('INVALID_CODE', 'This code is wrong.');
      case 'expired':
        throw refusal('CODE_EXPIRED', 'The code has expired. Ask for another.');
      case 'none':
        throw refusal('SETUP_NOT_INITIATED', 'No number waits to be confirmed. Ask for a code first.');
    }
  },
});

const proven = (phone: string) => ({ phone, phoneVerified: true as const });

/** What the guess was worth; if it was right, the number is the caller's now. */
async function guessed(code: string, { caller, conclude, db, identity }: Context<'user'>) {
  try {
    return await inTransaction(db, async (tx) => {
      await lockAwaitedPhone(tx, caller.id);
      const user = await lockedCaller(tx, caller);
      if ((await twoFactorMethodOf(tx, user.id)) === 'SMS')
        throw refusal('FORBIDDEN', 'Turn off two-factor sign-in by SMS before you change its number.');
      const guess = await guessSentCode(tx, codeFor('PHONE', user.id), isCode(identity, code));
      if (guess.outcome === 'right') {
        await setVerifiedPhone(tx, user.id, guess.destination);
        await conclude(tx, proven(guess.destination));
      }
      return guess;
    });
  } catch (error) {
    if (!violates(error, 'users_region_proven_phone_key')) throw error;
    // Chosen: somebody else's by now, so there is nothing to confirm; asking again says why.
    return { outcome: 'none' as const };
  }
}
