import { clearNoteText, readNote } from '../../../db/administration/idempotency/request-note.writes';
import { openDestination, sealDestination } from '../../../db/commerce/payout/destination';
import { payoutDetailsOf } from '../../../db/identity/user/payout-details.reads';
import { Unsealable } from '../../../db/sealing/cipher';
import { keysOf } from '../../../db/sealing/keys-of';
import { sealPurposes } from '../../../db/sealing/purposes';
import type { Tx } from '../../../db/sql/query';
import { maskedDestination, type Destination } from '../../../workflows/commerce/payout/destination.rules';
import { businessRefusal } from '../../../workflows/errors';
import { DESTINATION_OF } from '../../../workflows/investment/withdrawal/withdrawal.rules';
import type { WithdrawalActivities } from '../../../workflows/investment/withdrawal/withdrawal.contract';

type Request = Parameters<WithdrawalActivities['requestWithdrawal']>[0];

/** The destination of a withdrawal, sealed for it, and its masked form. */
export interface SealedDestination {
  method: Destination['method'];
  sealed: Buffer;
  masked: string;
}

/**
 * The destination of a withdrawal: the one in its note, or the saved payout details of the locked user; null for the wallet.
 * Refuses with WITHDRAWAL_DETAILS_MISSING where the saved ones do not fit the method.
 */
export async function sealedDestination(
  tx: Tx,
  {
    withdrawalId,
    userId,
    method,
    detailsNoteId,
  }: Pick<Request, 'withdrawalId' | 'userId' | 'method' | 'detailsNoteId'>,
): Promise<SealedDestination | null> {
  const needed = DESTINATION_OF[method];
  if (needed === null) return null;
  const purpose = sealPurposes.investmentWithdrawal(withdrawalId);
  const destination =
    detailsNoteId === null
      ? await savedDestination(tx, userId)
      : await sentDestination(tx, detailsNoteId, purpose);
  if (destination?.method !== needed)
    throw detailsMissing('useSavedDetails', 'has no saved details of this method');
  return {
    method: needed,
    sealed: sealDestination(keysOf(tx), purpose, destination),
    masked: maskedDestination(destination),
  };
}

async function savedDestination(tx: Tx, userId: string): Promise<Destination | null> {
  const sealed = await payoutDetailsOf(tx, userId);
  try {
    return sealed && openDestination(keysOf(tx), sealPurposes.payoutDetails(userId), sealed);
  } catch (error) {
    if (error instanceof Unsealable) return null; // Their key is gone: the owner has to enter them again.
    throw error;
  }
}

/** The note keeps no copy of it. */
async function sentDestination(tx: Tx, noteId: string, purpose: string): Promise<Destination> {
  const { text } = await readNote(tx, noteId);
  if (text === null) throw detailsMissing('details', 'must be sent again');
  await clearNoteText(tx, noteId);
  return openDestination(keysOf(tx), purpose, Buffer.from(text, 'base64'));
}

const detailsMissing = (field: string, message: string): Error =>
  businessRefusal('WITHDRAWAL_DETAILS_MISSING', 'Say where this withdrawal is to go.', {
    [field]: [message],
  });
