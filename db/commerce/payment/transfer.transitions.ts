import { v7 } from 'uuid';
import type { Tx } from '../../sql/query';
import { recordCapture } from './capture.transitions';
import type { LockedOrder } from '../order/order.transitions';
import {
  attemptById,
  attemptsOf,
  closeAttempts,
  moveAttempt,
  openAttempt,
  type PaymentAttempt,
} from './payment-attempt.transitions';
import { returnStrayCapture, settleOrder } from './settle.transitions';

/** A transfer that was seen on the bank account. */
export interface SeenTransfer {
  captureId: string;
  /** The bank's reference. */
  transactionId: string;
  amountMinor: number;
  /** The administrator who saw it. */
  by: string;
  at: string;
}

/**
 * Records a transfer for an order that is locked. It pays the order if that waits for payment and the amount is right,
 * whatever method was asked for last; else its return is scheduled. Null: the bank's reference is recorded already.
 */
export async function takeTransfer(
  tx: Tx,
  order: LockedOrder,
  { captureId, transactionId, amountMinor, by, at }: SeenTransfer,
): Promise<'APPLIED' | 'RETURNED' | null> {
  const { id: orderId, currency } = order;
  const fits = amountMinor === order.totalMinor - order.partnerBalanceMinor;
  const applied = fits && order.status === 'PENDING_PAYMENT';
  const known = fits ? await transferAttemptOf(tx, orderId) : null;
  const attempt = known ?? (applied ? await openTransferAttempt(tx, order, amountMinor, at) : null);
  const capture = {
    id: captureId,
    attemptId: attempt?.id ?? null,
    orderId,
    provider: 'bank',
    providerPaymentId: transactionId,
    amountMinor,
    currency,
    applied,
  };
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
  await openAttempt(tx, { ...attempt, method: 'BANK_TRANSFER' });
  return attemptById(tx, attempt.id);
}
