import { z } from 'zod';
import { payeeOf } from '../../../db/identity/user/payout-details.reads';
import { isSessionFresh } from '../../../db/identity/session/session.reads';
import { sealDestination } from '../../../db/commerce/payout/destination';
import { sealPurposes } from '../../../db/sealing/purposes';
import type { Destination } from '../../../workflows/commerce/payout/destination.rules';
import { isIban } from '../../../db/commerce/bank-file/iban';
import { businessRefusal } from '../../../workflows/errors';
import {
  DESTINATION_OF,
  WITHDRAWAL_METHODS,
  type WithdrawalMethod,
} from '../../../workflows/investment/withdrawal/withdrawal.rules';
import type { Context } from '../../http/handler-context';
import { noteOf } from '../../http/idempotency/note';
import { invalid } from '../../http/validation/validation';
import { accountGone } from '../../users/own-account';
import { accountNumber, bankCode, bankName, cardNumber } from '../../users/payout-details';

export const WithdrawalMethodField = z
  .enum(WITHDRAWAL_METHODS)
  .meta({ id: 'WithdrawalMethod', description: 'A way to be paid out. BALANCE: to the balance, at once.' });

/** A bank account or a card, as people enter it for one withdrawal. */
const Details = z
  .object({
    cardNumber: cardNumber()
      .nullish()
      .describe('The number of the card, 12 to 19 digits; spaces are ignored.'),
    bankName: bankName().nullish().describe('The name of the bank.'),
    bankBik: bankCode()
      .nullish()
      .meta({ description: 'BIC or BIK; not needed with an IBAN.', example: 'DEMODEFF' }),
    accountNumber: accountNumber().nullish().meta({
      description: 'An IBAN, or with `bankBik` any account number.',
      example: 'DE89370400440532013000',
    }),
  })
  .meta({ id: 'WithdrawalDetails', description: 'Stored encrypted, shown masked only.' });

export const Withdrawal = z
  .object({
    withdrawalMethod: WithdrawalMethodField,
    useSavedDetails: z.boolean().optional().meta({
      description:
        'To the saved payout details, which must fit the method. Excludes `details`, unless the money goes to the balance.',
    }),
    details: Details.nullish().meta({
      description: 'Without saved details. Requires a session that was opened or confirmed lately.',
    }),
    acceptPenalty: z.boolean().optional().meta({
      description: 'Must be true where the withdrawal has a penalty.',
    }),
  })
  .meta({ id: 'WithdrawalRequest' });

type Request = z.output<typeof Withdrawal>;

/**
 * Checks where a withdrawal is to go; returns the destination that was entered, or null for the wallet and for saved
 * details. Refuses with VALIDATION_ERROR: fields that are not valid, WITHDRAWAL_DETAILS_MISSING, SIGN_IN_NOT_RECENT.
 * Chosen: a session that was opened long ago sends money only where a recent one has allowed it, since it may be stolen.
 */
export async function enteredDestination(
  { withdrawalMethod, useSavedDetails, details }: Request,
  { caller, db, policy }: Context<'user'>,
): Promise<Destination | null> {
  const needed = DESTINATION_OF[withdrawalMethod];
  if (needed === null) return null;
  // Where the money is meant to go would be a guess.
  if (useSavedDetails === true && details) throw invalid({ details: ['exclude useSavedDetails'] });
  const payee = await payeeOf(db, caller.id);
  if (!payee) throw accountGone();
  if (useSavedDetails === true) {
    if (payee.payoutMethod !== needed)
      throw missing('useSavedDetails', 'has no saved details of this method');
    return null;
  }
  if (!details) throw missing('details', 'are required');
  const destination = destinationOf(withdrawalMethod, details, `${payee.firstName} ${payee.lastName}`);
  if (!(await isSessionFresh(db, caller.sessionId, policy.freshSignInMinutes)))
    throw businessRefusal(
      'SIGN_IN_NOT_RECENT',
      'Sign in again or confirm this session at /auth/confirm to send money to details that are not saved.',
    );
  return destination;
}

const missing = (field: string, message: string): Error =>
  businessRefusal('WITHDRAWAL_DETAILS_MISSING', 'Say where this withdrawal is to go.', {
    [field]: [message],
  });

function destinationOf(
  method: Exclude<WithdrawalMethod, 'BALANCE'> | WithdrawalMethod,
  { cardNumber: card, bankName: name, bankBik, accountNumber: account }: NonNullable<Request['details']>,
  accountHolder: string,
): Destination {
  if (method === 'BANK_CARD') {
    if (!card) throw invalid({ 'details.cardNumber': ['is required'] });
    return { method: 'CARD', accountHolder, cardNumber: card };
  }
  if (!account) throw invalid({ 'details.accountNumber': ['is required'] });
  const bank = { method: 'BANK_TRANSFER', accountHolder, bankName: name ?? undefined } as const;
  if (LIKE_IBAN.test(account)) {
    if (!isIban(account)) throw invalid({ 'details.accountNumber': ['is not a valid IBAN'] });
    return { ...bank, bik: bankBik ?? undefined, iban: account };
  }
  if (!bankBik) throw invalid({ 'details.bankBik': ['is required without an IBAN'] });
  return { ...bank, bik: bankBik, accountNumber: account };
}

const LIKE_IBAN = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/;

/** Stores a destination for the process, sealed for its withdrawal; returns the id of the note. */
export async function destinationNote(
  withdrawalId: string,
  destination: Destination,
  context: Context<'user'>,
): Promise<string> {
  const purpose = sealPurposes.investmentWithdrawal(withdrawalId);
  const sealed = sealDestination(context.identity.sealing, purpose, destination);
  return noteOf(context, sealed.toString('base64'), { entityId: withdrawalId });
}
