import { defineQuery, defineSignal } from '@temporalio/workflow';
import { businessRefusal, refusal } from '../../errors';
import { MOST_INTERNAL_NOTES } from './internal-note.rules';
import type { PayableRef } from '../payable/payable.rules';
import type { OrderStatus } from './order.states';
import { decision } from '../../kit/decision';

/** The state of an order for its processes. */
export interface OrderState {
  status: OrderStatus;
  /** The end of its payment window; ISO 8601. */
  payBy: string;
  /** True once it was paid: its fulfilment may then be running, even if the order was cancelled since. */
  wasPaid: boolean;
  /** The order as people name it, for summaries. */
  label: string;
  /** True if it no longer waits for payment, and a page on which it could be paid may still be open. */
  pagesLeft?: true;
}

/** Money on its way back to a buyer; each has a process of its own. */
export type RefundDue = PayableRef & {
  refundId: string;
  /** The buyer; it and the label are left out where only the ids are known. */
  userId?: string;
  /** The thing that was paid for and the amount as people name them, for the summary. */
  label?: string;
};

/** A request to cancel an order. */
export interface CancelRequest {
  /** The request note with the reason and its author. */
  noteId: string;
  /**
   * Present for an administrator's decision, which is audited and refused for an order that is cancelled already.
   * `internalNoteId`: the stored note whose text is for administrators only; left out: there is none.
   */
  byAdministrator?: { notifyCustomer: boolean; internalNoteId?: string };
}

export interface CancelOrder extends CancelRequest {
  orderId: string;
  /** ISO 8601. */
  at: string;
}

export interface CancelledOrder {
  /** COMPLETED: on the buyer's balance; PROCESSING: with the provider; null: nothing was paid. */
  refundStatus: 'COMPLETED' | 'PROCESSING' | null;
  refundAmountMinor: number | null;
  refundsDue: RefundDue[];
}

/** Cancels an order that has not been shipped. Checkout handles it until the order is paid, then fulfilment. */
export const cancelOrder = decision<CancelledOrder, [CancelRequest]>('cancelOrder', {
  ifClosed: 'CANNOT_CANCEL',
});

/** Reports a change of this order's payments, which the process then reads from the database. */
export const paymentReported = defineSignal('paymentReported');

/** Reports a move of the order outside this process, such as a full refund; the new status is in the database. */
export const orderMoved = defineSignal('orderMoved');

/** The refusal of a move that `orderStates` does not allow. */
export const illegalMove = (from: OrderStatus, to: OrderStatus): Error =>
  businessRefusal(
    'STATUS_MOVE_NOT_ALLOWED',
    from === to ? `This order is already ${to}.` : `A ${from} order cannot become ${to}.`,
    {
      status: [`cannot follow ${from}`],
    },
  );

/** The refusal of a parcel for an order of which all units are refunded. */
export const nothingToShip = (): Error =>
  businessRefusal(
    'NOTHING_TO_SHIP',
    'All items of this order are refunded. Cancel it, or refund its shipping.',
    { status: ['cannot be SHIPPED without items'] },
  );

/** The refusal of a cancellation that comes too late. */
export const tooLateToCancel = (status: OrderStatus): Error =>
  refusal(
    'CANNOT_CANCEL',
    status === 'CANCELLED'
      ? 'This order is already CANCELLED.'
      : `This order is ${status} and can no longer be cancelled.`,
  );

/** The refusal of a payment for an order that waits for none. */
export function notPayable(status: OrderStatus, isPaid: boolean): Error {
  if (status === 'PENDING_PAYMENT') return refusal('NOT_PAYABLE', 'The time to pay this order is over.');
  return refusal(
    'NOT_PAYABLE',
    isPaid ? 'This order is already paid.' : `This order is ${status} and can no longer be paid.`,
  );
}

/** The refusal of a note to an order that has as many as it may have. */
export const tooManyInternalNotes = (): Error =>
  businessRefusal('TOO_MANY_NOTES', `An order can have at most ${MOST_INTERNAL_NOTES} internal notes.`, {
    internalNote: ['must be left out'],
  });

export const orderStatus = defineQuery<OrderStatus | 'PLACING' | 'REFUSED'>('orderStatus');

/** The steps that both processes of an order use. */
export interface OrderActivities {
  /** The state of an order; null when it was never placed. */
  orderState: (order: { orderId: string }) => Promise<OrderState | null>;
  /**
   * Cancels an order, returns its stock and coupons, and returns its money or schedules that. A repeated command returns
   * the first result. Refused: CANNOT_CANCEL.
   */
  cancelOrder: (order: CancelOrder) => Promise<CancelledOrder>;
  /** The refunds of the order that are not completed; starting their processes again changes nothing. */
  refundsDue: (order: { orderId: string }) => Promise<RefundDue[]>;
}
