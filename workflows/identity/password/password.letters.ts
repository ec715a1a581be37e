/** Carries the code that resets a forgotten password. */
export const resetLetter = (firstName: string, code: string) => ({
  subject: 'Choose a new password',
  greeting: `Hello ${firstName},`,
  paragraphs: [
    'Somebody asked for a new password for your account. This code lets you choose one. It is good for one hour and for one use.',
    'If it was not you, do nothing: your password stays as it is.',
  ],
  code,
});

/** Reports that a password was changed, so that the owner notices a change by somebody else. */
export const passwordChangedLetter = (firstName: string) => ({
  subject: 'Your password was changed',
  greeting: `Hello ${firstName},`,
  paragraphs: [
    'The password of your account was just changed, and you were signed out everywhere else.',
    'If this was not you, ask for a new password at once.',
  ],
});
