import { toDataURL } from 'qrcode';
import { setUpSecondFactor } from '../../../db/identity/second-factor/second-factor.writes';
import { sealPurposes } from '../../../db/sealing/purposes';
import { inTransaction } from '../../../db/sql/transaction';
import { refusal } from '../../../workflows/errors';
import { base32, inGroups } from '../../http/auth/base32';
import type { Context } from '../../http/handler-context';
import type { FreshProof } from '../fresh-sign-in';
import { destinationOf, masked } from './codes/destination';
import { sendCode } from './codes/send-code';
import { lockedCaller } from '../../users/locked-caller';

type UserContext = Context<'user'>;

/** Sets up TOTP with a new secret; returns it for an authenticator app. Refused: TWO_FACTOR_ALREADY_ENABLED. */
export async function setUpTotp({ caller, db, identity }: UserContext, proveFresh: FreshProof) {
  const secret = identity.totp.newSecret();
  const sealed = identity.sealing.seal(secret, sealPurposes.totp(caller.id));
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

/**
 * Sets up codes by SMS or email and sends the first. Refused: TWO_FACTOR_ALREADY_ENABLED, PHONE_NOT_VERIFIED,
 * EMAIL_NOT_VERIFIED.
 */
export async function setUpSentCodes(
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
      throw method === 'SMS' ? refusal('PHONE_NOT_VERIFIED') : refusal('EMAIL_NOT_VERIFIED');
    await sendCode(tx, identity, user, { purpose: 'SETUP', channel: method, destination });
    return { method, maskedDestination: masked(destination) };
  });
}

const alreadyEnabled = () => refusal('TWO_FACTOR_ALREADY_ENABLED');
