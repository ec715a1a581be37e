import { salutation } from '../../administration/outbox/letter.rules';

/** The mail about a change of payout details. */
export const payoutDetailsChangedLetter = (firstName: string) => ({
  subject: 'Your payout details were changed',
  greeting: salutation(firstName),
  paragraphs: [
    'The payout details of your account were just changed.',
    'If this was not you, change your password at once and contact our support.',
  ],
});
