import { z } from 'zod';
import { sealDestination } from '../../db/commerce/payout/destination';
import type { SealedPayoutDetails } from '../../db/identity/user/account.writes';
import type { KeyRing } from '../../db/sealing/key-ring';
import { sealPurposes } from '../../db/sealing/purposes';
import { maskedDestination } from '../../workflows/commerce/payout/destination.rules';
import { isIban } from '../../db/commerce/bank-file/iban';
import { text } from '../http/request/fields';

/** Accepts spaces and hyphens and removes them. */
const compact = (pattern: RegExp, message: string) =>
  z
    .string()
    .max(64)
    .transform((text) => text.replace(/[\s-]/g, '').toUpperCase())
    .pipe(z.string().regex(pattern, message));

/** ISO/IEC 7812 (Luhn): every second digit from the right counts double; the sum is a multiple of 10. */
export function isCardNumber(digits: string): boolean {
  let sum = 0;
  for (let place = 1; place <= digits.length; place++) {
    const value = Number(digits.charAt(digits.length - place)) * (place % 2 === 0 ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}

const accountHolder = text({ min: 1, max: 100 }).meta({ example: 'Ada Lovelace' });

/** BIC or BIK. */
export const bankCode = () =>
  compact(/^[A-Z0-9]{8,11}$/, 'must be a bank code of 8 to 11 letters and digits');

export const accountNumber = () => compact(/^[A-Z0-9]{4,34}$/, 'must be 4 to 34 letters and digits');

export const bankName = () => text({ min: 1, max: 100 }).meta({ example: 'Demo Bank' });

export const cardNumber = () =>
  compact(/^\d{12,19}$/, 'must be 12 to 19 digits')
    .refine(isCardNumber, 'is not a valid card number')
    .meta({ example: '4242424242424242' });

const BankTransfer = z
  .object({
    method: z.literal('BANK_TRANSFER').describe('The means by which the money is sent.'),
    accountHolder: accountHolder.describe('The name of the person or company that is paid.'),
    bankName: bankName().optional().describe('The name of the bank.'),
    bik: bankCode()
      .optional()
      .meta({ description: 'BIC or BIK; with `accountNumber`.', example: 'DEMODEFF' }),
    accountNumber: accountNumber()
      .optional()
      .meta({ description: 'Where there is no IBAN; with `bik`.', example: '40817810099910004312' }),
    iban: compact(/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/, 'must be an IBAN')
      .refine(isIban, 'is not a valid IBAN')
      .optional()
      .meta({
        description: 'The IBAN of the account; spaces are ignored.',
        example: 'DE89370400440532013000',
      }),
  })
  .superRefine((details, check) => {
    if (details.iban !== undefined) return;
    for (const field of ['accountNumber', 'bik'] as const)
      if (details[field] === undefined)
        check.addIssue({ code: 'custom', path: [field], message: 'is required without an IBAN' });
  });

const Card = z.object({
  method: z.literal('CARD').describe('The means by which the money is sent.'),
  accountHolder: accountHolder.describe('The name of the person or company that is paid.'),
  cardNumber: cardNumber().describe('The number of the card, 12 to 19 digits; spaces are ignored.'),
});

const EWallet = z.object({
  method: z.literal('EWALLET').describe('The means by which the money is sent.'),
  accountHolder: accountHolder.describe('The name of the person or company that is paid.'),
  walletId: text({ min: 1, max: 100 }).meta({
    description: 'The account with the e-wallet.',
    example: 'ada@wallet.example',
  }),
});

/** The destination of a user's payouts: a bank account, a card or an e-wallet. */
export const PayoutDetails = z
  .discriminatedUnion('method', [BankTransfer, Card, EWallet])
  .meta({ id: 'PayoutDetails', description: 'Stored encrypted, shown masked only.' });

type Details = z.output<typeof PayoutDetails>;

/** The details as they are stored: sealed for their owner, with the masked form that may be shown. */
export function sealed(details: Details, userId: string, sealing: KeyRing): SealedPayoutDetails {
  return {
    method: details.method,
    sealed: sealDestination(sealing, sealPurposes.payoutDetails(userId), details),
    masked: maskedDestination(details),
  };
}

/** The details that `sealed` sealed. Throws if the bytes are another user's or were altered. */
export const opened = (payoutSealed: Buffer, userId: string, sealing: KeyRing): Details =>
  PayoutDetails.parse(JSON.parse(sealing.open(payoutSealed, sealPurposes.payoutDetails(userId)).toString()));
