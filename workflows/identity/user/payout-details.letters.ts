/** The mail about a change of payout details. */
export const payoutDetailsChangedLetter = (firstName: string) => ({
  subject: 'Your payout details were changed',
  greeting: `Hello ${firstName},`,
  paragraphs: [
    'Where your payouts go was just changed in your account.',
    'If that was not you, change your password at once and write to us.',
  ],
});
