import type { AdministeredPayout } from '../../../../db/commerce/payout/administered-payout.reads';
import { completePayout } from '../../../../workflows/commerce/payout/payout.contract';
import type { Context } from '../../../http/handler-context';
import { noteOf } from '../../../http/idempotency/note';
import type { PayoutDesk } from '../desk';
import { decide, payoutOfAnother } from './decide';

/** The report of a person about a transfer from our bank account. */
interface Completion {
  id: string;
  externalReference?: string | null | undefined;
  outcome: 'DONE' | 'REFUSED';
}

/**
 * Records through its process that a person has sent a payout, or that the bank refused it, and returns the payout after it.
 * Refused: PAYOUT_NOT_FOUND or WITHDRAWAL_NOT_FOUND, FORBIDDEN, NOT_PROCESSING, ALREADY_SETTLED, CANNOT_SETTLE, VALIDATION_ERROR (`externalReference`).
 */
export async function completeByHand(
  context: Context<'admin'>,
  desk: PayoutDesk,
  { id, externalReference, outcome }: Completion,
): Promise<AdministeredPayout> {
  await payoutOfAnother(context, desk, id);
  const noteId = await noteOf(context, externalReference ?? null, { entityId: id });
  const action = outcome === 'DONE' ? 'COMPLETE' : 'REFUSE';
  return decide(context, desk, {
    ...{ id, noteId, action, update: completePayout, command: { noteId, outcome } },
  });
}
