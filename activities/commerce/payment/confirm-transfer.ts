import { v7 } from 'uuid';
import { recordAudit } from '../../../db/administration/audit/audit.writes';
import { readNote } from '../../../db/administration/idempotency/request-note.writes';
import type { LockedOrder } from '../../../db/commerce/order/order.transitions';
import { openRefundsOf, transferOf } from '../../../db/commerce/payment/capture.reads';
import { recordCapture } from '../../../db/commerce/payment/capture.transitions';
import {
  attemptById,
  attemptsOf,
  closeAttempts,
  moveAttempt,
  openAttempt,
  type PaymentAttempt,
} from '../../../db/commerce/payment/payment-attempt.transitions';
import { violates } from '../../../db/sql/errors';
import type { Db, Tx } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type {
  BankTransferActivities,
  ConfirmedTransfer,
} from '../../../workflows/commerce/payment/bank-transfer.contract';
import { amountInWords } from '../../../workflows/commerce/money.rules';
import { businessRefusal, refusal } from '../../../workflows/errors';
import { labelOf, requireOrder } from '../order/require-order';
import { returnStrayCapture } from './return-capture';
import { labelled } from '../refund/label-refunds';
import { settleOrder } from './settle-order';

type Transfer = Parameters<BankTransferActivities['confirmTransfer']>[0];

/**
 * Records a transfer that an administrator saw on the bank account, once; entered again for its own order, it is only
 * answered. Refused: AMOUNT_MISMATCH, VALIDATION_ERROR (the bank's reference is recorded for another transfer).
 */
export async function confirmTransfer(
  db: Db,
  transfer: Transfer,
): ReturnType<BankTransferActivities['confirmTransfer']> {
  try {
    return await inTransaction(db, async (tx) => {
      const confirmed = await confirmTransferIn(tx, transfer);
      const due = await openRefundsOf(tx, transfer.transactionId);
      const refundsDue = due.map((refundId) => ({ refundId, orderId: transfer.orderId }));
      const label = labelOf(await requireOrder(tx, transfer.orderId));
      return { ...confirmed, refundsDue: await labelled(tx, refundsDue), label };
    });
  } catch (error) {
    // Another order's transfer, at the same moment, with the same reference written differently.
    if (violates(error, 'payment_captures_bank_reference_key')) throw isRecorded('for another order');
    throw error;
  }
}

async function confirmTransferIn(tx: Tx, transfer: Transfer): Promise<ConfirmedTransfer> {
  const { orderId, transactionId, amountMinor } = transfer;
  const order = await requireOrder(tx, orderId);
  const known = await transferOf(tx, transactionId);
  if (known && (known.orderId !== orderId || known.amountMinor !== amountMinor))
    throw isRecorded(known.orderId === orderId ? 'with another amount' : 'for another order');
  if (known) return confirmed(order, known.applied ? 'APPLIED' : 'RETURNED');
  const dueMinor = order.totalMinor - order.partnerBalanceMinor;
  const dueInWords = amountInWords(dueMinor, order.currency);
  if (amountMinor !== dueMinor && transfer.onMismatch === 'REFUSE')
    throw refusal('AMOUNT_MISMATCH', `The amount due for this order is ${dueInWords}.`, {
      amount: [`must be ${dueInWords}`],
    });
  const { actorId: by, clientAddress } = await readNote(tx, transfer.noteId);
  const outcome = await recordTransfer(tx, order, transfer, by);
  if (!outcome) throw isRecorded('for another order');
  const next = confirmed(await requireOrder(tx, orderId), outcome);
  await recordAudit(tx, {
    actorId: by,
    action: 'order.confirm-transfer',
    entityType: 'order',
    entityId: orderId,
    previous: { status: order.status, paymentStatus: order.paymentStatus },
    next: { ...next, amountMinor, transactionId },
    clientAddress,
    at: new Date(transfer.at),
  });
  return next;
}

/**
 * Records the money. It pays the order if that waits for payment and the amount is right, whatever method the buyer chose
 * last; else its return is scheduled. Null: the bank's reference is recorded already. The order is locked.
 */
async function recordTransfer(
  tx: Tx,
  order: LockedOrder,
  { captureId, transactionId, amountMinor, at }: Transfer,
  by: string,
): Promise<'APPLIED' | 'RETURNED' | null> {
  const { id: orderId, currency } = order;
  const fits = amountMinor === order.totalMinor - order.partnerBalanceMinor;
  const applied = fits && order.status === 'PENDING_PAYMENT';
  const known = fits ? await transferAttemptOf(tx, orderId) : null;
  const attempt = known ?? (applied ? await openTransferAttempt(tx, order, amountMinor, at) : null);
  const money = { orderId, provider: 'bank', providerPaymentId: transactionId, amountMinor, currency };
  const capture = { id: captureId, attemptId: attempt?.id ?? null, ...money, applied };
  if (!(await recordCapture(tx, capture, at))) return null;
  if (applied && attempt) {
    await moveAttempt(tx, attempt, 'PAID', at);
    await closeAttempts(tx, orderId, 'CANCELLED', at);
    await settleOrder(tx, order, { method: 'BANK_TRANSFER', by, at });
    return 'APPLIED';
  }
  await returnStrayCapture(tx, order, capture, at);
  return 'RETURNED';
}

const transferAttemptOf = async (tx: Tx, orderId: string): Promise<PaymentAttempt | null> =>
  (await attemptsOf(tx, orderId)).find(({ method }) => method === 'BANK_TRANSFER') ?? null;

/** The attempt for a transfer that nobody announced. */
async function openTransferAttempt(
  tx: Tx,
  { id: orderId, currency, payBy: expiresAt }: LockedOrder,
  amountMinor: number,
  at: string,
): Promise<PaymentAttempt | null> {
  const attempt = { id: v7(), orderId, provider: 'bank', amountMinor, currency, expiresAt, at };
  await openAttempt(tx, { ...attempt, method: 'BANK_TRANSFER', paymentUrl: null, bankDetails: null });
  return attemptById(tx, attempt.id);
}

const confirmed = (
  { status, paymentStatus }: LockedOrder,
  outcome: ConfirmedTransfer['outcome'],
): ConfirmedTransfer => ({ status, paymentStatus, outcome });

const isRecorded = (how: string): Error =>
  businessRefusal('TRANSFER_ALREADY_USED', 'This transfer is already recorded.', {
    transactionId: [`is already recorded ${how}`],
  });
