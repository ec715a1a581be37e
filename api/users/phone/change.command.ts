import { isPhoneProvenByAnother } from '../../../db/identity/user/phone.writes';
import { inTransaction } from '../../../db/sql/transaction';
import { refusal } from '../../../workflows/errors';
import { requireFreshSignIn } from '../../auth/fresh-sign-in';
import { masked } from '../../auth/two-factor/codes/destination';
import { sendCode } from '../../auth/two-factor/codes/send-code';
import { lockedCaller } from '../locked-caller';
import type { Context } from '../../http/handler-context';
import { requireNoSmsSignIn } from './no-sms-sign-in';

/**
 * Sends a code to the caller's new telephone number. Refuses with REAUTHENTICATION_REQUIRED, INVALID_PASSWORD, FORBIDDEN
 * and PHONE_ALREADY_EXISTS.
 */
export async function sendPhoneCode(
  context: Context<'user'>,
  { phone, password }: { phone: string; password?: string | undefined },
): Promise<{ message: string; maskedDestination: string }> {
  const { caller, conclude, db, identity } = context;
  // Not `atomic`: a wrong password is counted although the request is refused.
  const proveFresh = await requireFreshSignIn(password, context);
  return inTransaction(db, async (tx) => {
    const user = await lockedCaller(tx, caller);
    await proveFresh(tx, user);
    await requireNoSmsSignIn(tx, user.id);
    if (user.isPhoneVerified && user.phone === phone)
      throw refusal('PHONE_ALREADY_EXISTS', 'This is already your phone number.');
    if (await isPhoneProvenByAnother(tx, user.id, phone)) throw refusal('PHONE_ALREADY_EXISTS');
    await sendCode(tx, identity, user, { purpose: 'PHONE', channel: 'SMS', destination: phone });
    const sent = { message: 'We have sent you a code.', maskedDestination: masked(phone) };
    await conclude(tx, sent);
    return sent;
  });
}
