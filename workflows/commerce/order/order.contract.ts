import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import { refusal } from '../../errors';
import type { OrderStatus } from './order.states';

/** Where an order stands, and until when it may be paid (ISO 8601). */
export interface OrderStanding {
  status: OrderStatus;
  payBy: string;
  /** Whether it was ever paid: then fulfilment may have been started, whatever became of the order since. */
  wasPaid: boolean;
}

/** Money on its way back to a buyer; each has a process of its own. */
export interface RefundDue {
  refundId: string;
  orderId: string;
}

/** Who wants an order cancelled, and as what. */
export interface CancelRequest {
  /** The kept note with the reason and who gave it. */
  noteId: string;
  /** Only there when an administrator decides it: such a decision is audited, and finding it done is a refusal. */
  byAdministrator?: { notifyCustomer: boolean };
}

export interface CancelOrder extends CancelRequest {
  orderId: string;
  /** ISO 8601. */
  at: string;
}

export interface CancelledOrder {
  /** COMPLETED: back on the buyer's balance; PROCESSING: on its way by the provider; null: nothing was paid. */
  refundStatus: 'COMPLETED' | 'PROCESSING' | null;
  refundAmountMinor: number | null;
  refundsDue: RefundDue[];
}

/** Cancels an order that has not left. Both processes of an order answer to it: checkout, then fulfilment. */
export const cancelOrder = defineUpdate<CancelledOrder, [CancelRequest]>('cancelOrder');

/** A provider reported something about this order's payments; what, is in the database. */
export const paymentReported = defineSignal('paymentReported');

/** Somebody else moved the order, such as a refund of all of it; where to, is in the database. */
export const orderMoved = defineSignal('orderMoved');

/** What whoever asks for a move that the table does not have is told. */
export const illegalMove = (from: OrderStatus, to: OrderStatus): Error =>
  refusal('VALIDATION_ERROR', `An order that is ${from} cannot become ${to}.`, {
    status: [`cannot follow ${from}`],
  });

export const orderStatus = defineQuery<OrderStatus | 'PLACING' | 'REFUSED'>('orderStatus');

/** Steps that both processes of an order need. */
export interface OrderActivities {
  /** Null: the order was never placed. */
  orderStanding: (order: { orderId: string }) => Promise<OrderStanding | null>;
  /**
   * Cancels an order that may be cancelled, gives back its stock and coupons, and returns or schedules the return of
   * its money. Refused: CANNOT_CANCEL. Done before: the first answer again.
   */
  cancelOrder: (order: CancelOrder) => Promise<CancelledOrder>;
  /** Money of the order that is on its way back; starting its processes again changes nothing. */
  refundsDue: (order: { orderId: string }) => Promise<RefundDue[]>;
}
