import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { OrderStatus } from './order.states';

/** Where an order stands, and until when it may be paid (ISO 8601). */
export interface OrderStanding {
  status: OrderStatus;
  payBy: string;
}

/** Money on its way back to a buyer; each has a process of its own. */
export interface RefundDue {
  refundId: string;
  orderId: string;
}

export interface CancelOrder {
  orderId: string;
  /** The kept note with the reason and who gave it. */
  noteId: string;
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
export const cancelOrder = defineUpdate<CancelledOrder, [{ noteId: string }]>('cancelOrder');

/** A provider reported something about this order's payments; what, is in the database. */
export const paymentReported = defineSignal('paymentReported');

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
