import { v7 } from 'uuid';
import { recordAudit } from '../../../db/administration/audit/audit.writes';
import { readNote } from '../../../db/administration/idempotency/request-note.writes';
import { transferOf } from '../../../db/commerce/payment/capture.reads';
import { openRefundsOf } from '../../../db/commerce/refund/payment-refund.reads';
import { recordCapture } from '../../../db/commerce/payment/capture.transitions';
import { takeReceivedReference } from '../../../db/commerce/payment/sent-reference.transitions';
import {
  attemptById,
  attemptsOf,
  closeAttempts,
  moveAttempt,
  openAttempt,
  type PaymentAttempt,
} from '../../../db/commerce/payment/payment-attempt.transitions';
import { violates } from '../../../db/sql/errors';
import type { Tx } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type {
  BankTransferActivities,
  ConfirmedTransfer,
} from '../../../workflows/commerce/payment-event/bank-transfer.contract';
import { amountInWords } from '../../../workflows/commerce/money.rules';
import {
  idOf,
  idsOf,
  kindOf,
  PAYABLE_NOUNS,
  type PayableRef,
} from '../../../workflows/commerce/payable/payable.rules';
import { businessRefusal, refusal } from '../../../workflows/errors';
import { labelled } from '../payment/label-refunds';
import type { DbDeps } from '../../steps';
import { lockPayable } from '../payable/lock-payable';
import type { Payable } from '../payable/payable';
import { returnStrayCapture } from '../payable/return-capture';

type ConfirmTransfer = Parameters<BankTransferActivities['confirmTransfer']>[0];

/**
 * Records a transfer that an administrator saw on the bank account, once; entered again for the same thing, it is only
 * answered. Refused: AMOUNT_MISMATCH, VALIDATION_ERROR (the bank's reference is recorded for another transfer).
 */
export async function confirmTransfer(
  { db }: DbDeps,
  transfer: ConfirmTransfer,
): ReturnType<BankTransferActivities['confirmTransfer']> {
  try {
    return await inTransaction(db, async (tx) => {
      const confirmed = await confirmTransferIn(tx, transfer);
      const due = await openRefundsOf(tx, transfer.transactionId);
      const { ref, label } = await lockPayable(tx, transfer);
      const refundsDue = due.map((refundId) => ({ refundId, ...ref }));
      return { ...confirmed, refundsDue: await labelled(tx, refundsDue), label };
    });
  } catch (error) {
    // Another transfer, at the same moment, with the same reference written differently.
    if (violates(error, 'payment_captures_bank_reference_key'))
      throw isRecorded(`for another ${PAYABLE_NOUNS[kindOf(transfer)]}`);
    throw error;
  }
}

async function confirmTransferIn(tx: Tx, transfer: ConfirmTransfer): Promise<ConfirmedTransfer> {
  const { transactionId, amountMinor } = transfer;
  const payable = await lockPayable(tx, transfer);
  const { kind, dueMinor } = payable;
  const known = await transferOf(tx, transactionId);
  if (known && idOf(known) !== idOf(payable.ref))
    throw isRecorded(`for another ${PAYABLE_NOUNS[kindOf(known)]}`);
  if (known && known.amountMinor !== amountMinor) throw isRecorded('with another amount');
  if (known) return confirmed(payable, known.applied ? 'APPLIED' : 'RETURNED');
  if (!(await takeReceivedReference(tx, transactionId)))
    throw isRecorded('as a payment of an investment provider');
  const dueInWords = amountInWords(dueMinor, payable.currency);
  if (amountMinor !== dueMinor && transfer.onMismatch === 'REFUSE')
    throw refusal('AMOUNT_MISMATCH', `The amount due for this ${PAYABLE_NOUNS[kind]} is ${dueInWords}.`, {
      amount: [`must be ${dueInWords}`],
    });
  const { actorId: by, clientAddress } = await readNote(tx, transfer.noteId);
  const outcome = await recordTransfer(tx, payable, transfer, by);
  if (!outcome) throw isRecorded(`for another ${PAYABLE_NOUNS[kind]}`);
  const next = confirmed(await lockPayable(tx, transfer), outcome);
  await recordAudit(tx, {
    actorId: by,
    action: AUDITED_AS[kind],
    entityId: idOf(payable.ref),
    previous: { status: payable.status, paymentStatus: payable.paymentStatus },
    next: { ...next, amountMinor, transactionId },
    clientAddress,
    at: new Date(transfer.at),
  });
  return next;
}

/**
 * Records the money. It pays what waits for payment if the amount is right, whatever method its user chose last; else its
 * return is scheduled. Null: the bank's reference is recorded already.
 */
async function recordTransfer(
  tx: Tx,
  payable: Payable,
  { captureId, transactionId, amountMinor, at }: ConfirmTransfer,
  by: string,
): Promise<'APPLIED' | 'RETURNED' | null> {
  const { ref, currency } = payable;
  const fits = amountMinor === payable.dueMinor;
  const applied = fits && payable.awaitsPayment;
  const known = fits ? await transferAttemptOf(tx, ref) : null;
  const attempt = known ?? (applied ? await openTransferAttempt(tx, payable, amountMinor, at) : null);
  const money = { ...idsOf(ref), provider: 'bank', providerPaymentId: transactionId, amountMinor, currency };
  const capture = { id: captureId, attemptId: attempt?.id ?? null, ...money, applied };
  if (!(await recordCapture(tx, capture, at))) return null;
  if (applied && attempt) {
    await moveAttempt(tx, attempt, 'PAID', at);
    await closeAttempts(tx, ref, 'CANCELLED', at);
    await payable.settle({ method: 'BANK_TRANSFER', provider: 'bank', by, at });
    return 'APPLIED';
  }
  await returnStrayCapture(tx, payable, capture, at);
  return 'RETURNED';
}

const transferAttemptOf = async (tx: Tx, ref: PayableRef): Promise<PaymentAttempt | null> =>
  (await attemptsOf(tx, ref)).find(({ method }) => method === 'BANK_TRANSFER') ?? null;

/** The attempt for a transfer that nobody announced. */
async function openTransferAttempt(
  tx: Tx,
  { ref, currency, payBy: expiresAt }: Payable,
  amountMinor: number,
  at: string,
): Promise<PaymentAttempt | null> {
  const attempt = { id: v7(), ...ref, provider: 'bank', amountMinor, currency, expiresAt, at };
  await openAttempt(tx, { ...attempt, method: 'BANK_TRANSFER', paymentUrl: null, bankDetails: null });
  return attemptById(tx, attempt.id);
}

const confirmed = (
  { status, paymentStatus }: Payable,
  outcome: ConfirmedTransfer['outcome'],
): ConfirmedTransfer => ({ status, paymentStatus, outcome });

const AUDITED_AS = {
  order: 'order.confirm-transfer',
  participation: 'participation.confirm-transfer',
  entrance: 'entrance.confirm-transfer',
  topUp: 'top-up.confirm-transfer',
} as const;

const isRecorded = (how: string): Error =>
  businessRefusal('TRANSFER_ALREADY_USED', 'This transfer is already recorded.', {
    transactionId: [`is already recorded ${how}`],
  });
