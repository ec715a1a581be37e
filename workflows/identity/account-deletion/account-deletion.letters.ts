const day = (moment: Date): string => moment.toISOString().slice(0, 10);

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
  greeting: `Hello ${firstName},`,
  paragraphs: [
    `As you asked, your account and your personal data will be erased on ${day(dueAt)}, in ${graceDays} ${graceDays === 1 ? 'day' : 'days'}.`,
    'If you change your mind, sign in before that day: then everything stays as it is.',
    'If this was not you, undo it with the code below, and change your password.',
  ],
  code: token,
});

const KEPT_BECAUSE = {
  SIGNED_IN: 'You have signed in again',
  UNDONE: 'The deletion was undone with the code that we mailed to you',
} as const;

/** The way a deletion was cancelled: by signing in, or with the mailed code. */
export type DeletionCancelledBy = keyof typeof KEPT_BECAUSE;

/** The mail about a deletion that was cancelled. */
export const deletionCancelledLetter = (firstName: string, cancelledBy: DeletionCancelledBy) => ({
  subject: 'Your account stays',
  greeting: `Hello ${firstName},`,
  paragraphs: [`${KEPT_BECAUSE[cancelledBy]}, so your account will not be deleted.`],
});
