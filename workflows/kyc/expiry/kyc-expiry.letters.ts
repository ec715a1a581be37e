import { dayInWords, salutation } from '../../administration/outbox/letter.rules';
import type { ReviewedLevel } from '../kyc.rules';

interface EndingVerification {
  firstName: string;
  level: ReviewedLevel;
}

const PARTICIPATIONS = 'Participations that run are not affected.';

/** Some weeks before the end of a verification. */
export const kycExpiringLetter = ({
  firstName,
  level,
  expiresAt,
}: EndingVerification & { expiresAt: Date }) => ({
  subject: `Your identity verification ends on ${dayInWords(expiresAt)}`,
  greeting: salutation(firstName),
  paragraphs: [
    `Your identity verification (level ${level}) ends on ${dayInWords(expiresAt)} (UTC). Until then nothing changes.`,
    'Please verify your identity again before that day. Your level falls to BASIC if you do not, and you cannot invest, withdraw money or spend partner balance until you are verified again.',
    PARTICIPATIONS,
  ],
});

/** At the end of a verification; `isRenewing`: the user has begun a new one. */
export const kycExpiredLetter = ({
  firstName,
  level,
  isRenewing,
}: EndingVerification & { isRenewing: boolean }) => ({
  subject: 'Your identity verification has expired',
  greeting: salutation(firstName),
  paragraphs: [
    `Your identity verification (level ${level}) has expired. Your account now has level BASIC: you cannot invest, withdraw money or spend partner balance until you are verified again.`,
    isRenewing
      ? 'You have begun a new verification. Your level rises again when it is approved.'
      : 'Please verify your identity again.',
    PARTICIPATIONS,
  ],
});
