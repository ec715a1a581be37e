import { momentInWords, salutation } from '../../administration/outbox/letter.rules';
import { amountInWords } from '../../commerce/money.rules';
import { transferParagraphs, type TransferLetterData } from '../../commerce/payable/transfer-letter.rules';

interface Member {
  firstName: string;
}

/** An entrance fee as its mails show it. */
export interface EntranceLetterData extends Member {
  number: string;
  amountMinor: number;
  currency: string;
}

const amountOf = ({ amountMinor, currency }: EntranceLetterData): string =>
  amountInWords(amountMinor, currency);

/** A person who has become a partner. */
export const joinedLetter = ({ firstName, referralCode }: Member & { referralCode: string }) => ({
  subject: 'Welcome to the partner programme',
  greeting: salutation(firstName),
  paragraphs: [
    'You are a partner now.',
    `Your referral code is ${referralCode}. People who register with it become your customers.`,
  ],
});

/** An entrance fee that waits for a bank transfer. */
export const entranceTransferLetter = (entrance: EntranceLetterData, transfer: TransferLetterData) => ({
  subject: `Your entrance fee ${entrance.number}`,
  greeting: salutation(entrance.firstName),
  paragraphs: [
    `Thank you for joining the partner programme. Your membership starts when we receive the entrance fee ${entrance.number}.`,
    `Please transfer ${amountOf(entrance)} to this account by ${momentInWords(transfer.payBy)}. Without it your request is cancelled, and you can join again later.`,
    ...transferParagraphs(transfer),
  ],
});

/** An entrance fee that was not paid in time. */
export const entranceUnpaidLetter = (entrance: EntranceLetterData) => ({
  subject: `Your entrance fee ${entrance.number} is cancelled`,
  greeting: salutation(entrance.firstName),
  paragraphs: [
    `We have not received ${amountOf(entrance)} for your entrance fee ${entrance.number}, so your request to join the partner programme is cancelled. You can join again at any time.`,
    'If you have paid in the meantime, we send the money back.',
  ],
});

/** A partner whom an administrator has suspended. */
export const partnerSuspendedLetter = ({ firstName, reason }: Member & { reason: string }) => ({
  subject: 'Your partner membership is suspended',
  greeting: salutation(firstName),
  paragraphs: [
    'Your membership of the partner programme is suspended. Your referral code refers nobody, and you earn no commissions until it is active again.',
    `Reason: ${reason}`,
  ],
});

/** A partner whose suspension an administrator has ended. */
export const partnerActivatedLetter = ({ firstName }: Member) => ({
  subject: 'Your partner membership is active again',
  greeting: salutation(firstName),
  paragraphs: ['Your membership of the partner programme is active again.'],
});

/** A partner whose membership an administrator has ended. */
export const partnerTerminatedLetter = ({ firstName, reason }: Member & { reason: string }) => ({
  subject: 'Your partner membership has ended',
  greeting: salutation(firstName),
  paragraphs: [
    'Your membership of the partner programme has ended for good. Your referral code refers nobody, and you earn no further commissions.',
    `Reason: ${reason}`,
  ],
});

/** A partner whom an administrator has given another rank. Ranks by their names. */
export const partnerRankedLetter = ({
  firstName,
  previousRank,
  rank,
  reason,
}: Member & { previousRank: string; rank: string; reason: string }) => ({
  subject: `Your rank is now ${rank}`,
  greeting: salutation(firstName),
  paragraphs: [
    `Your rank in the partner programme was ${previousRank}. It is now ${rank}, and new commissions are counted by its rates.`,
    `Reason: ${reason}`,
  ],
});
