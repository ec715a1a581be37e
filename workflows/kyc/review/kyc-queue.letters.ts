import { momentInWords, salutation } from '../../administration/outbox/letter.rules';

/** A verification whose review takes too long; to the reviewer who has claimed it, or to the queue. It names nobody. */
export function reviewOverdueLetter({
  kycId,
  submittedAt,
  dueAt,
  isClaimed,
}: {
  kycId: string;
  submittedAt: Date;
  dueAt: Date;
  isClaimed: boolean;
}) {
  const when = `was submitted on ${momentInWords(submittedAt)} and was due on ${momentInWords(dueAt)}`;
  return {
    subject: 'An identity verification is overdue',
    greeting: salutation(''),
    paragraphs: [
      `The identity verification ${kycId} ${when}.`,
      isClaimed
        ? 'You have claimed it: please decide it, or release it for another reviewer.'
        : 'Nobody has claimed it.',
    ],
  };
}
