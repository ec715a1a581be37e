import { z } from 'zod';
import { earnsByPaymentsOf } from '../../db/partners/membership/own-partner.reads';
import {
  bankTransferProcess,
  type ConfirmedTransfer,
} from '../../workflows/commerce/payment-event/bank-transfer.contract';
import { toMinor } from '../../workflows/commerce/money.rules';
import { moneyLabel } from '../../workflows/commerce/order/order-label.rules';
import { kindOf, PAYABLE_NOUNS, type PayableRef } from '../../workflows/commerce/payable/payable.rules';
import { refusal } from '../../workflows/errors';
import type { Context } from '../http/handler-context';
import { noteOf } from '../http/idempotency/note';
import { bankReference, money } from '../http/request/fields';
import type { DecisionDefinition } from '../../workflows/kit/decision';

/** A bank transfer as an administrator enters it for what it is to pay. */
export const TransferBody = z.object({
  amount: money({ min: 0.01 }),
  transactionId: bankReference({ max: 200 }).describe("The bank's id of the transfer."),
  onMismatch: z
    .literal('RETURN')
    .optional()
    .describe('RETURN: a transfer of another amount is recorded and sent back instead of being refused.'),
});

/**
 * Pays with the transfer, or records it and sends it back. Refused: FORBIDDEN for the administrator's own payment and
 * for one by which they would earn a commission; and what the outcome refuses.
 */
export async function enterTransfer<Status extends ConfirmedTransfer['status']>(
  context: Context<'admin'>,
  ref: PayableRef,
  payable: { userId: string; number: string; currency: string },
  { amount, transactionId, onMismatch }: z.output<typeof TransferBody>,
  outcome: DecisionDefinition<ConfirmedTransfer<Status>, [null]>,
): Promise<ConfirmedTransfer<Status>> {
  const { db, caller, mint, processes, request } = context;
  const { userId, currency, number } = payable;
  if (userId === caller.id)
    throw refusal('FORBIDDEN', `You cannot confirm a payment of your own ${PAYABLE_NOUNS[kindOf(ref)]}.`);
  // Money in a wallet earns nobody a commission.
  if (ref.topUpId === undefined && (await earnsByPaymentsOf(db, caller.id, userId)))
    throw refusal('FORBIDDEN', 'You cannot confirm a payment by which you would earn a commission.');
  const { capture: captureId } = await mint('capture', 'note');
  // The process parks under the id of the capture, by which retention keeps the note that it may read again.
  const noteId = await noteOf(context, null, { entityId: captureId });
  const amountMinor = toMinor(amount, currency);
  const label = moneyLabel({ number, amountMinor, currency });
  const transfer = { ...ref, captureId, userId, amountMinor, transactionId, noteId, label };
  const input = { ...transfer, onMismatch: onMismatch ?? ('REFUSE' as const) };
  return processes.open(bankTransferProcess, input, outcome, null, {
    updateId: request.idempotencyId,
  });
}
