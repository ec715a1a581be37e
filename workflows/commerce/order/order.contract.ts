import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import { refusal } from '../../errors';
import type { OrderStatus } from './order.states';

/** The state of an order for its processes. */
export interface OrderState {
  status: OrderStatus;
  /** The end of its payment window; ISO 8601. */
  payBy: string;
  /** True once it was paid: its fulfilment may then be running, even if the order was cancelled since. */
  wasPaid: boolean;
  /** The order as people name it, for summaries; left out by earlier versions. */
  label?: string;
}

/** Money on its way back to a buyer; each has a process of its own. */
export interface RefundDue {
  refundId: string;
  orderId: string;
  /** The buyer; this and the label are left out by earlier versions. */
  userId?: string;
  /** The order and the amount as people name them, for the summary. */
  label?: string;
}

/** A request to cancel an order. */
export interface CancelRequest {
  /** The request note with the reason and its author. */
  noteId: string;
  /** Present for an administrator's decision, which is audited and refused for an order that is cancelled already. */
  byAdministrator?: { notifyCustomer: boolean };
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
export const cancelOrder = defineUpdate<CancelledOrder, [CancelRequest]>('cancelOrder');

/** Reports a change of this order's payments, which the process then reads from the database. */
export const paymentReported = defineSignal('paymentReported');

/** Reports a move of the order outside this process, such as a full refund; the new status is in the database. */
export const orderMoved = defineSignal('orderMoved');

/** The refusal of a move that `orderStates` does not allow. */
export const illegalMove = (from: OrderStatus, to: OrderStatus): Error =>
  refusal('VALIDATION_ERROR', `An order that is ${from} cannot become ${to}.`, {
    status: [`cannot follow ${from}`],
  });

export const orderStatus = defineQuery<OrderStatus | 'PLACING' | 'REFUSED'>('orderStatus');

/** The steps that both processes of an order use. */
export interface OrderActivities {
  /** The state of an order; null when it was never placed. */
  orderStanding: (order: { orderId: string }) => Promise<OrderState | null>;
  /**
   * Cancels an order, returns its stock and coupons, and returns its money or schedules that. A repeated command answers
   * the first result. Refused: CANNOT_CANCEL.
   */
  cancelOrder: (order: CancelOrder) => Promise<CancelledOrder>;
  /** The refunds of the order that are not completed; starting their processes again changes nothing. */
  refundsDue: (order: { orderId: string }) => Promise<RefundDue[]>;
}
