import { counted, letter } from '../../../db/administration/outbox/letter';
import { enqueueMail } from '../../../db/administration/outbox/outbox.writes';
import { issueToken } from '../../../db/identity/mailed-token/mailed-token.writes';
import type { Policy } from '../../../db/policy/config';
import type { Tx } from '../../../db/sql/query';

export type RegistrationPolicy = Pick<Policy, 'unverifiedDays' | 'verificationHours'>;

interface Entering {
  email: string;
  firstName: string;
}

/** Owes a person the mail with a new token, which is the only one that counts from now on. */
export async function mailVerification(
  tx: Tx,
  { email, firstName }: Entering,
  { userId, tokenId, at }: { userId: string; tokenId: string; at: Date },
  { unverifiedDays, verificationHours }: RegistrationPolicy,
): Promise<void> {
  const lifetimeMs = verificationHours * 3_600_000;
  const token = await issueToken(tx, { id: tokenId, userId, purpose: 'VERIFY_EMAIL', lifetimeMs, at });
  await enqueueMail(tx, {
    reference: `verify-email:${tokenId}`,
    to: email,
    token,
    ...letter({
      subject: 'Confirm your e-mail address',
      greeting: `Hello ${firstName},`,
      paragraphs: [
        `Welcome! Confirm with this code that the address is yours. It is good for ${counted(verificationHours, 'hour')} and for one use.`,
        `If you did not register, do nothing: the account is removed after ${counted(unverifiedDays, 'day')}.`,
      ],
      code: token,
    }),
  });
}
