import { letter } from '../../../db/administration/outbox/letter';
import { enqueueMail } from '../../../db/administration/outbox/outbox.writes';
import { issueToken } from '../../../db/identity/mailed-token/mailed-token.writes';
import type { Policy } from '../../../db/policy/config';
import type { Db, Tx } from '../../../db/sql/query';
import { verificationLetter } from '../../../workflows/identity/registration/registration.letters';

export type RegistrationPolicy = Pick<Policy, 'unverifiedDays' | 'verificationHours'>;

export interface RegistrationDeps {
  db: Db;
  policy: RegistrationPolicy;
}

/** Queues the verification mail with a new token, which replaces the earlier ones. */
export async function queueVerificationMail(
  tx: Tx,
  { email, firstName }: { email: string; firstName: string },
  { userId, tokenId, at }: { userId: string; tokenId: string; at: Date },
  policy: RegistrationPolicy,
): Promise<void> {
  const lifetimeMs = policy.verificationHours * 3_600_000;
  const token = await issueToken(tx, { id: tokenId, userId, purpose: 'VERIFY_EMAIL', lifetimeMs, at });
  const content = letter(verificationLetter(firstName, token, policy));
  await enqueueMail(tx, { reference: `verify-email:${tokenId}`, to: email, token, ...content });
}
