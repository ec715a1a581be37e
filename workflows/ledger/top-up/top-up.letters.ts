import { momentInWords, salutation } from '../../administration/outbox/letter.rules';
import { amountInWords } from '../../commerce/money.rules';
import { transferParagraphs, type TransferLetterData } from '../../commerce/payable/transfer-letter.rules';

/** A top-up as its mails show it. */
export interface TopUpLetterData {
  firstName: string;
  number: string;
  amountMinor: number;
  currency: string;
}

const amountOf = ({ amountMinor, currency }: TopUpLetterData): string => amountInWords(amountMinor, currency);

/** A top-up that waits for a bank transfer. */
export const topUpTransferLetter = (topUp: TopUpLetterData, transfer: TransferLetterData) => ({
  subject: `Your top-up ${topUp.number}`,
  greeting: salutation(topUp.firstName),
  paragraphs: [
    `Please transfer ${amountOf(topUp)} to this account by ${momentInWords(transfer.payBy)}. The money is on your balance as soon as we receive it. A top-up that is not paid by then is cancelled.`,
    ...transferParagraphs(transfer),
  ],
});

/** A top-up that was paid. */
export const topUpPaidLetter = (topUp: TopUpLetterData) => ({
  subject: `Your top-up ${topUp.number} is on your balance`,
  greeting: salutation(topUp.firstName),
  paragraphs: [`We have received your payment of ${amountOf(topUp)}. It is on your balance now.`],
});

/** A top-up that was not paid in time. */
export const topUpUnpaidLetter = (topUp: TopUpLetterData) => ({
  subject: `Your top-up ${topUp.number} is cancelled`,
  greeting: salutation(topUp.firstName),
  paragraphs: [
    `We have not received your payment of ${amountOf(topUp)}, so the top-up is cancelled. You can ask for another at any time.`,
    'Money that arrives later is sent back to you.',
  ],
});

/** The part of a top-up that was taken from the wallet because the payer's bank took the payment back. */
export const topUpTakenBackLetter = (topUp: TopUpLetterData, takenMinor: number) => ({
  subject: `Your payment for top-up ${topUp.number} was taken back`,
  greeting: salutation(topUp.firstName),
  paragraphs: [
    `The bank that paid your top-up ${topUp.number} has taken the money back from us. We have therefore taken ${amountInWords(takenMinor, topUp.currency)} from your balance.`,
    'If the bank returns the money to us, it is on your balance again.',
  ],
});

/** The return of that part to the wallet. */
export const topUpGivenBackLetter = (topUp: TopUpLetterData, returnedMinor: number) => ({
  subject: `Your payment for top-up ${topUp.number} was returned`,
  greeting: salutation(topUp.firstName),
  paragraphs: [
    `The bank has returned the payment of your top-up ${topUp.number} to us. ${amountInWords(returnedMinor, topUp.currency)} is on your balance again.`,
  ],
});
