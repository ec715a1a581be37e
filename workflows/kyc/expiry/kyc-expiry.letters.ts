import { dayInWords, salutation } from '../../administration/outbox/letter.rules';
import type { ReviewedLevel } from '../kyc.rules';

interface EndingVerification {
  firstName: string;
  level: ReviewedLevel;
  /** The level of the user once it has ended. */
  levelAfter: ReviewedLevel;
}

/** The loss that comes with the lower level. */
const lossAt = (levelAfter: ReviewedLevel): string =>
  levelAfter === 'BASIC'
    ? 'you cannot invest, withdraw money or spend partner balance until you are verified again'
    : `you cannot invest more than level ${levelAfter} permits until you are verified again`;

const PARTICIPATIONS = 'Participations that run are not affected.';

/** Some weeks before the end of a verification. */
export const kycExpiringLetter = ({
  firstName,
  level,
  levelAfter,
  expiresAt,
}: EndingVerification & { expiresAt: Date }) => ({
  subject: `Your identity verification ends on ${dayInWords(expiresAt)}`,
  greeting: salutation(firstName),
  paragraphs: [
    `Your identity verification (level ${level}) ends on ${dayInWords(expiresAt)} (UTC). Until then nothing changes.`,
    `Please verify your identity again before that day. Your level falls to ${levelAfter} if you do not, and ${lossAt(levelAfter)}.`,
    PARTICIPATIONS,
  ],
});

/** At the end of a verification; `isRenewing`: the user has begun a new one. */
export const kycExpiredLetter = ({
  firstName,
  level,
  levelAfter,
  isRenewing,
}: EndingVerification & { isRenewing: boolean }) => ({
  subject: 'Your identity verification has expired',
  greeting: salutation(firstName),
  paragraphs: [
    `Your identity verification (level ${level}) has expired. Your account now has level ${levelAfter}: ${lossAt(levelAfter)}.`,
    isRenewing
      ? 'You have begun a new verification. Your level rises again when it is approved.'
      : 'Please verify your identity again.',
    PARTICIPATIONS,
  ],
});
