import { letter, type LetterContent } from '../../../db/administration/outbox/letter';
import { enqueueMail } from '../../../db/administration/outbox/outbox.writes';
import { emailOf } from '../../../db/kyc/standing/user-standing.transitions';
import type { UserStanding } from '../../../db/kyc/standing/user-standing.reads';
import type { Verification } from '../../../db/kyc/verification/verification.reads';
import type { Tx } from '../../../db/sql/query';
import { reviewOverdueLetter } from '../../../workflows/kyc/review/kyc-queue.letters';

/** Queues a mail to the user of a verification, once for each reference; a banned or erased account gets none. */
export async function queueUserMail(
  tx: Tx,
  { status, email, erasedAt }: UserStanding,
  reference: string,
  content: LetterContent,
): Promise<void> {
  if (status !== 'BANNED' && erasedAt === null)
    await enqueueMail(tx, { reference, to: email, ...letter(content) });
}

/** Tells the reviewer who has claimed an overdue verification, or else the address of the queue, if there is one. */
export async function queueOverdueMail(
  tx: Tx,
  { id: kycId, assignedTo, submittedAt, dueAt }: Verification,
  queueEmail: string | undefined,
): Promise<void> {
  const to = (assignedTo === null ? null : await emailOf(tx, assignedTo)) ?? queueEmail;
  if (to === undefined || submittedAt === null || dueAt === null) return;
  const content = reviewOverdueLetter({ kycId, submittedAt, dueAt, isClaimed: assignedTo !== null });
  await enqueueMail(tx, { reference: `kyc:${kycId}:overdue:${dueAt.toISOString()}`, to, ...letter(content) });
}
