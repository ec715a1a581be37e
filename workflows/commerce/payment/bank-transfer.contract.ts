import { defineUpdate } from '@temporalio/workflow';
import { defineProcess } from '../../kit/process';
import type { RefundDue } from '../order/order.contract';
import { summaryOf } from '../order/order-label.rules';
import type { OrderStatus } from '../order/order.states';

/** A transfer that an administrator saw on the bank account, and the order that it is for. */
export interface BankTransfer {
  /** The id that the money will be recorded under. */
  captureId: string;
  orderId: string;
  userId: string;
  amountMinor: number;
  /** The bank's reference, as the administrator read it. */
  transactionId: string;
  /** RETURN: money of another amount than the order asks for is recorded and sent back. */
  onMismatch: 'REFUSE' | 'RETURN';
  /** The kept note that names the administrator and their client address. */
  noteId: string;
  /** The order and the amount as people name them, for the summary. */
  label?: string;
}

export type BankTransferResult = 'APPLIED' | 'RETURNED' | 'REFUSED' | 'ABANDONED';

/**
 * One bank transfer, applied to its order or sent back, whether or not the order's checkout still runs. The bank's
 * reference identifies it in the database, so running it again changes nothing.
 */
export const bankTransferProcess = defineProcess<BankTransfer, BankTransferResult, 'captureId'>({
  type: 'bankTransfer',
  queue: 'interactive',
  area: 'commerce',
  id: ({ captureId }) => `bank-transfer:${captureId}`,
  entityId: ({ orderId }) => orderId,
  orderId: ({ orderId }) => orderId,
  userId: ({ userId }) => userId,
  summary: ({ orderId, label }) => summaryOf(label, 'bank transfer', `Bank transfer for order ${orderId}`),
  repeatable: true,
});

/** The result of a transfer, with the state of its order. */
export interface ConfirmedTransfer {
  status: OrderStatus;
  paymentStatus: 'PENDING' | 'PAID' | 'FAILED' | 'REFUNDED';
  outcome: 'APPLIED' | 'RETURNED';
}

/**
 * Answers the result of the transfer that the process was started with. Refused: AMOUNT_MISMATCH, and VALIDATION_ERROR
 * for a bank reference that belongs to another order.
 */
export const transferOutcome = defineUpdate<ConfirmedTransfer, [null]>('transferOutcome');

export interface BankTransferActivities {
  /**
   * Pays the order with a transfer, or records it and schedules its return, in one transaction. The same reference for
   * the same order again: the same answer, with the refunds that are still due. `label`: the order as people name it,
   * for summaries; left out by earlier versions.
   */
  confirmTransfer: (
    transfer: Omit<BankTransfer, 'userId'> & { at: string },
  ) => Promise<ConfirmedTransfer & { refundsDue: RefundDue[]; label?: string }>;
}
