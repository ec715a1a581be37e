import { dayInWords, salutation } from '../../administration/outbox/letter.rules';
import { counted } from '../counted.rules';

interface ScheduledDeletion {
  firstName: string;
  dueAt: Date;
  graceDays: number;
  /** Undoes the deletion. */
  token: string;
}

/** The mail about a deletion that was requested, with the code that undoes it. */
export const deletionScheduledLetter = ({ firstName, dueAt, graceDays, token }: ScheduledDeletion) => ({
  subject: 'Your account will be deleted',
  greeting: salutation(firstName),
  paragraphs: [
    `As you requested, your account and your personal data will be erased on ${dayInWords(dueAt)}, in ${counted(graceDays, 'day')}.`,
    'If you change your mind, sign in before that day. Your account then stays as it is.',
    'If this was not you, undo the deletion with the code below and change your password at once.',
  ],
  code: token,
});

const KEPT_BECAUSE = {
  SIGNED_IN: 'You have signed in again',
  UNDONE: 'The deletion was undone with the code that we sent you by email',
} as const;

/** The way a deletion was cancelled: by signing in, or with the mailed code. */
export type DeletionCancelledBy = keyof typeof KEPT_BECAUSE;

/** The mail about a deletion that was cancelled. */
export const deletionCancelledLetter = (firstName: string, cancelledBy: DeletionCancelledBy) => ({
  subject: 'Your account stays',
  greeting: salutation(firstName),
  paragraphs: [`${KEPT_BECAUSE[cancelledBy]}, so your account will not be deleted.`],
});
