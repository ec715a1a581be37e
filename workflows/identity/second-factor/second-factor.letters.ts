import { counted } from '../counted.rules';

/** Carries a one-time code. `use` says what it is for, such as "signing in". */
export const codeLetter = (firstName: string, code: string, use: string) => ({
  subject: 'Your code',
  greeting: `Hello ${firstName},`,
  paragraphs: [`here is your code. ${codeUse(use)}`],
  code,
});

/** The same as a text message. */
export const codeText = (code: string, use: string): string => `${code} is your code. ${codeUse(use)}`;

const codeUse = (use: string): string =>
  `It is for ${use}, and good for 10 minutes. Nobody of ours will ever ask you for it.`;

/** Reports that a second factor is on. `undo` is the code that takes it off again, null where no mail may do so. */
export const twoFactorOnLetter = (firstName: string, undo: { code: string; days: number } | null) => ({
  subject: 'Two-factor sign-in is on',
  greeting: `Hello ${firstName},`,
  paragraphs: [
    'Two-factor sign-in was turned on for your account. All your other sessions have ended.',
    undo === null
      ? 'If that was not you, have a SUPER_ADMIN reset it and change your password at once.'
      : `If that was not you, take it off with the code below and change your password at once. The code is good for ${counted(undo.days, 'day')}, until somebody first shows the second factor.`,
  ],
  ...(undo && { code: undo.code }),
});

/** Reports that a second factor is off, with the code that brings it back. */
export const twoFactorOffLetter = (firstName: string, undo: { code: string; days: number }) => ({
  subject: 'Two-factor sign-in is off',
  greeting: `Hello ${firstName},`,
  paragraphs: [
    'Two-factor sign-in was turned off for your account. All your other sessions have ended.',
    `If that was not you, turn it on again with the code below and change your password at once. The code is good for ${counted(undo.days, 'day')}.`,
  ],
  code: undo.code,
});

/** A change of the second factor that its owner did not make while signed in. */
export type TwoFactorChange = 'undone-on' | 'undone-off' | 'reset';

const CAREFUL = 'All sessions have ended. If that was not you, change your password at once and write to us.';

const CHANGES: Record<TwoFactorChange, { subject: string; change: string }> = {
  'undone-on': {
    subject: 'Two-factor sign-in is off again',
    change: 'Two-factor sign-in was taken off with the code that we mailed to you.',
  },
  'undone-off': {
    subject: 'Two-factor sign-in is on again',
    change: 'Two-factor sign-in was turned on again with the code that we mailed to you.',
  },
  reset: {
    subject: 'Two-factor sign-in was reset',
    change:
      'An administrator took two-factor sign-in off your account, so your password is enough to sign in.',
  },
};

/** Reports a change of the second factor made with a mailed code or by an administrator. */
export function twoFactorChangedLetter(firstName: string, made: TwoFactorChange) {
  const { subject, change } = CHANGES[made];
  return { subject, greeting: `Hello ${firstName},`, paragraphs: [change, CAREFUL] };
}
