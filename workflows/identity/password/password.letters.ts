import { salutation } from '../../administration/outbox/letter.rules';

/** Carries the code that resets a forgotten password. */
export const resetLetter = (firstName: string, code: string) => ({
  subject: 'Choose a new password',
  greeting: salutation(firstName),
  paragraphs: [
    'A new password was requested for your account. Use the code below to choose one. It is valid for one hour and can be used once.',
    'If this was not you, you do not have to do anything: your password stays as it is.',
  ],
  code,
});

/** Reports that a password was changed, so that the owner notices a change by somebody else. */
export const passwordChangedLetter = (firstName: string) => ({
  subject: 'Your password was changed',
  greeting: salutation(firstName),
  paragraphs: [
    'The password of your account was just changed. You have been signed out on all other devices.',
    'If this was not you, request a new password at once.',
  ],
});
