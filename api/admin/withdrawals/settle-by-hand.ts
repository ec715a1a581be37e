import type { AdministeredWithdrawal } from '../../../db/investment/withdrawal/administered-withdrawal.reads';
import { moneyLabel } from '../../../workflows/commerce/order/order-label.rules';
import { refusal } from '../../../workflows/errors';
import { alreadySettled } from '../../../workflows/investment/withdrawal/already-settled';
import {
  settleWithdrawal,
  withdrawalProcess,
} from '../../../workflows/investment/withdrawal/withdrawal.contract';
import type { Context } from '../../http/handler-context';
import { noteOf } from '../../http/idempotency/note';
import { oneWithdrawal } from './withdrawal.view';

/** The report of a person about a transfer from our bank account. */
interface SettledWithdrawal {
  id: string;
  reference: string;
  outcome: 'DONE' | 'REFUSED';
}

/**
 * Records through its process that a person has sent a withdrawal, or that the bank refused it, and returns the withdrawal after
 * it. Refused: WITHDRAWAL_NOT_FOUND, FORBIDDEN, ALREADY_SETTLED, CANNOT_SETTLE, VALIDATION_ERROR (`reference`).
 */
export async function settleWithdrawalByHand(
  context: Context<'admin'>,
  { id, reference, outcome }: SettledWithdrawal,
): Promise<AdministeredWithdrawal> {
  const { db, caller, processes, request } = context;
  const withdrawal = await oneWithdrawal(db, id);
  if (withdrawal.userId === caller.id) throw refusal('FORBIDDEN', 'You cannot settle your own withdrawal.');
  const noteId = await noteOf(context, reference);
  const isDone = withdrawal.status !== 'PROCESSING';
  if (isDone && withdrawal.settlementId !== noteId) throw alreadySettled(withdrawal);
  if (!isDone)
    await processes.open(
      withdrawalProcess,
      {
        withdrawalId: id,
        participationId: withdrawal.participationId,
        userId: withdrawal.userId,
        label: moneyLabel({ ...withdrawal, amountMinor: withdrawal.netMinor }),
      },
      settleWithdrawal,
      { noteId, outcome },
      { updateId: request.idempotencyId },
    );
  return oneWithdrawal(db, id);
}
