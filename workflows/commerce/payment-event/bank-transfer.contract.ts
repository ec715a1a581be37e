import { decision } from '../../kit/decision';
import { defineProcess } from '../../kit/process';
import type { RefundDue } from '../order/order.contract';
import { summaryOf } from '../order/order-label.rules';
import type { OrderStatus } from '../order/order.states';
import type { PayableStatus } from './payable-status';
import { idOf, kindOf, PAYABLE_NOUNS, type PayableRef } from '../payable/payable.rules';

/** A transfer that an administrator saw on the bank account, and what it is for. */
export type BankTransfer = PayableRef & {
  /** The id that the money will be recorded under. */
  captureId: string;
  userId: string;
  amountMinor: number;
  /** The bank's reference, as the administrator read it. */
  transactionId: string;
  /** RETURN: money of another amount than was requested is recorded and sent back. */
  onMismatch: 'REFUSE' | 'RETURN';
  /** The stored note that names the administrator and their client address. */
  noteId: string;
  /** The thing that it is for and the amount as people name them, for the summary. */
  label?: string;
};

export type BankTransferResult = 'APPLIED' | 'RETURNED' | 'REFUSED' | 'ABANDONED';

/**
 * One bank transfer, applied to what it is for or sent back, whether or not the process of that still runs. The bank's
 * reference identifies it in the database, so running it again changes nothing.
 */
export const bankTransferProcess = defineProcess<BankTransfer, BankTransferResult, 'captureId'>({
  type: 'bankTransfer',
  queue: 'interactive',
  area: 'commerce',
  id: ({ captureId }) => `bank-transfer:${captureId}`,
  entityId: idOf,
  orderId: ({ orderId }) => orderId,
  userId: ({ userId }) => userId,
  summary: ({ label, ...ref }) =>
    summaryOf(label, 'bank transfer', `Bank transfer for ${PAYABLE_NOUNS[kindOf(ref)]} ${idOf(ref)}`),
  repeatable: true,
  parks: true,
});

/** The result of a transfer, with the state of what it is for. */
export interface ConfirmedTransfer<Status extends PayableStatus = PayableStatus> {
  status: Status;
  paymentStatus: 'PENDING' | 'PAID' | 'FAILED' | 'REFUNDED';
  outcome: 'APPLIED' | 'RETURNED';
}

/**
 * Returns the result of the transfer that the process was started with. Refused: AMOUNT_MISMATCH, and VALIDATION_ERROR
 * for a bank reference that belongs to another transfer.
 */
export const transferOutcome = decision<ConfirmedTransfer, [null]>('transferOutcome', {
  ifClosed: 'SERVICE_UNAVAILABLE',
});

/** The outcome of a transfer, with the state of its order. */
export const orderTransferOutcome = decision<ConfirmedTransfer<OrderStatus>, [null]>(transferOutcome.name, {
  ifClosed: 'SERVICE_UNAVAILABLE',
});

/** A transfer as it is recorded. */
export type EnteredTransfer = PayableRef & Omit<BankTransfer, 'userId' | keyof PayableRef>;

export interface BankTransferActivities {
  /**
   * Pays with a transfer, or records it and schedules its return, in one transaction. The same reference for the same
   * thing again: the same answer, with the refunds that are still due. `label`: what it is for as people name it, for
   * summaries.
   */
  confirmTransfer: (
    transfer: EnteredTransfer & { at: string },
  ) => Promise<ConfirmedTransfer & { refundsDue: RefundDue[]; label: string }>;
}
