import { salutation } from '../../administration/outbox/letter.rules';
import { counted } from '../counted.rules';

/** Carries a one-time code. `use` says what it is for, such as "signing in". */
export const codeLetter = (firstName: string, code: string, use: string) => ({
  subject: 'Your code',
  greeting: salutation(firstName),
  paragraphs: [`Your code for ${use} is below. ${CODE_RULES}`],
  code,
});

/** The code as a text message. */
export const codeText = (code: string, use: string): string =>
  `${code} is your code for ${use}. ${CODE_RULES}`;

const CODE_RULES = 'It is valid for 10 minutes. Do not give it to anyone: we will never ask you for it.';

/** Reports that a second factor is on. `undo` is the code that takes it off again, null where no mail may do so. */
export const twoFactorOnLetter = (firstName: string, undo: { code: string; days: number } | null) => ({
  subject: 'Two-factor sign-in is on',
  greeting: salutation(firstName),
  paragraphs: [
    'Two-factor sign-in was turned on for your account. All your other sessions have ended.',
    undo === null
      ? 'If this was not you, change your password at once and have an administrator with full rights reset two-factor sign-in.'
      : `If this was not you, turn it off with the code below and change your password at once. The code is valid for ${counted(undo.days, 'day')}, or until two-factor sign-in is first used.`,
  ],
  ...(undo && { code: undo.code }),
});

/** Reports that a second factor is off, with the code that brings it back. */
export const twoFactorOffLetter = (firstName: string, undo: { code: string; days: number }) => ({
  subject: 'Two-factor sign-in is off',
  greeting: salutation(firstName),
  paragraphs: [
    'Two-factor sign-in was turned off for your account. All your other sessions have ended.',
    `If this was not you, turn it on again with the code below and change your password at once. The code is valid for ${counted(undo.days, 'day')}.`,
  ],
  code: undo.code,
});

/** A change of the second factor that its owner did not make while signed in. */
export type TwoFactorChange = 'undone-on' | 'undone-off' | 'reset';

const CAREFUL =
  'All sessions have ended. If this was not you, change your password at once and contact our support.';

const CAREFUL_OF_RESET =
  'All sessions have ended. If you did not ask for this, contact our support first, then change your password.';

const CHANGES: Record<TwoFactorChange, { subject: string; change: string }> = {
  'undone-on': {
    subject: 'Two-factor sign-in is off again',
    change: 'Two-factor sign-in was turned off with the code that we sent you by email.',
  },
  'undone-off': {
    subject: 'Two-factor sign-in is on again',
    change: 'Two-factor sign-in was turned on again with the code that we sent you by email.',
  },
  reset: {
    subject: 'Two-factor sign-in was reset',
    change:
      'An administrator turned two-factor sign-in off for your account. Your password is now enough to sign in.',
  },
};

/** Reports a change of the second factor made with a mailed code or by an administrator. */
export function twoFactorChangedLetter(firstName: string, made: TwoFactorChange) {
  const { subject, change } = CHANGES[made];
  const careful = made === 'reset' ? CAREFUL_OF_RESET : CAREFUL;
  return { subject, greeting: salutation(firstName), paragraphs: [change, careful] };
}
