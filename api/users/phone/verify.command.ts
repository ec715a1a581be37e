import { guessSentCode } from '../../../db/identity/second-factor/sent-code.writes';
import { lockAwaitedPhone, setVerifiedPhone } from '../../../db/identity/user/phone.writes';
import { violates } from '../../../db/sql/errors';
import { inTransaction } from '../../../db/sql/transaction';
import { refusal } from '../../../workflows/errors';
import { codeFor, isCode } from '../../auth/two-factor/codes/send-code';
import { lockedCaller } from '../locked-caller';
import type { Context } from '../../http/handler-context';
import { requireNoSmsSignIn } from './no-sms-sign-in';

interface PhoneVerified {
  phone: string;
  phoneVerified: true;
}

/**
 * Makes the number that the code was sent to the caller's. Refuses with FORBIDDEN, INVALID_CODE, CODE_EXPIRED and
 * SETUP_NOT_INITIATED; a wrong code is counted all the same.
 */
export async function verifyPhone(context: Context<'user'>, code: string): Promise<PhoneVerified> {
  const guess = await guessPhoneCode(context, code);
  switch (guess.outcome) {
    case 'right':
      return verified(guess.destination);
    case 'wrong':
      throw refusal('INVALID_CODE');
    case 'expired':
      throw refusal('CODE_EXPIRED');
    case 'none':
      throw refusal(
        'SETUP_NOT_INITIATED',
        'No phone number is waiting to be confirmed. Request a code first.',
      );
  }
}

const verified = (phone: string): PhoneVerified => ({ phone, phoneVerified: true });

/** Refusals are thrown only after the commit, since the guess is counted. */
async function guessPhoneCode({ caller, conclude, db, identity }: Context<'user'>, code: string) {
  try {
    return await inTransaction(db, async (tx) => {
      await lockAwaitedPhone(tx, caller.id);
      const user = await lockedCaller(tx, caller);
      await requireNoSmsSignIn(tx, user.id);
      const guess = await guessSentCode(tx, codeFor('PHONE', user.id), isCode(identity, code));
      if (guess.outcome === 'right') {
        await setVerifiedPhone(tx, user.id, guess.destination);
        await conclude(tx, verified(guess.destination));
      }
      return guess;
    });
  } catch (error) {
    if (!violates(error, 'users_region_proven_phone_key')) throw error;
    // Chosen: another account has proven the number meanwhile, so there is nothing to confirm; a new request says why.
    return { outcome: 'none' as const };
  }
}
