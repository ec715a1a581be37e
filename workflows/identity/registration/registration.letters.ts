import { salutation } from '../../administration/outbox/letter.rules';
import { counted } from '../counted.rules';

/** Asks a new person to confirm their email address with a code. */
export const verificationLetter = (
  firstName: string,
  code: string,
  { verificationHours, unverifiedDays }: { verificationHours: number; unverifiedDays: number },
) => ({
  subject: 'Confirm your email address',
  greeting: salutation(firstName),
  paragraphs: [
    `Welcome! Use the code below to confirm that this email address is yours. It is valid for ${counted(verificationHours, 'hour')} and can be used once.`,
    `If you did not register, you do not have to do anything: the account is removed after ${counted(unverifiedDays, 'day')}.`,
  ],
  code,
});
