import { letter } from '../../db/administration/letter';
import { enqueueMail } from '../../db/administration/outbox.writes';
import { issueToken } from '../../db/identity/mailed-token.writes';
import type { Tx } from '../../db/sql';
import { VERIFICATION_LIFETIME_MS } from '../../workflows/identity/registration.rules';

interface Entering {
  email: string;
  firstName: string;
}

/** Owes a person the mail with a new token, which is the only one that counts from now on. */
export async function mailVerification(
  tx: Tx,
  { email, firstName }: Entering,
  { userId, tokenId, at }: { userId: string; tokenId: string; at: Date },
): Promise<void> {
  const lifetimeMs = VERIFICATION_LIFETIME_MS;
  const token = await issueToken(tx, { id: tokenId, userId, purpose: 'VERIFY_EMAIL', lifetimeMs, at });
  await enqueueMail(tx, {
    reference: `verify-email:${tokenId}`,
    to: email,
    token,
    ...letter({
      subject: 'Confirm your e-mail address',
      greeting: `Hello ${firstName},`,
      paragraphs: [
        'Welcome! Confirm with this code that the address is yours. It is good for 24 hours and for one use.',
        'If you did not register, do nothing: the account is removed after 7 days.',
      ],
      code: token,
    }),
  });
}
