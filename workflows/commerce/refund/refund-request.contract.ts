import { defineSignal, defineUpdate } from '@temporalio/workflow';
import { defineProcess } from '../../kit/process';
import type { OrderStatus } from '../order/order.states';
import type { RefundDue } from '../order/order.contract';
import type { RefundRequestStatus } from './refund-request.states';

export interface RefundRequestInput {
  refundRequestId: string;
  orderId: string;
  userId: string;
}

/** REFUSED: nothing was asked back. ABANDONED: an operator gave the process up; the rows stay as they are. */
export type RefundRequestResult = 'REFUSED' | 'REJECTED' | 'COMPLETED' | 'FAILED' | 'ABANDONED';

/** Money that a buyer asks back, from the wish to the decision to the money's return. */
export const refundRequestProcess = defineProcess<RefundRequestInput, RefundRequestResult, 'refundRequestId'>(
  {
    type: 'refundRequest',
    queue: 'interactive',
    area: 'commerce',
    id: ({ refundRequestId }) => `refund:${refundRequestId}`,
    entityId: ({ refundRequestId }) => refundRequestId,
    userId: ({ userId }) => userId,
    summary: ({ orderId }) => `Refund asked for order ${orderId}`,
    repeatable: true,
  },
);

/** Which goods, as the buyer named them: whole lines, or so many pieces. Neither: all that is left. */
export interface RequestRefund {
  itemIds: string[] | null;
  items: { itemId: string; quantity: number }[] | null;
  /** The kept notes with the buyer's words. */
  reasonNoteId: string;
  descriptionNoteId: string | null;
}

/** What an administrator gives back by themselves: pieces or an amount, or the shipping alone. */
export interface OrderRefund {
  items: { itemId: string; quantity: number }[] | null;
  /** For no pieces. Not beside `items`. */
  amountMinor: number | null;
  /** What is left of the shipping, with its tax. */
  includeShipping: boolean;
  /** The kept note that says who, with the reason. */
  noteId: string;
}

/** What the request is for, in minor units. */
export interface RefundAsked {
  requestedMinor: number;
  currency: string;
  /** ISO 8601. */
  createdAt: string;
  items: { itemId: string; quantity: number; amountMinor: number }[];
}

/** How a request stands. */
export interface RefundStanding {
  status: RefundRequestStatus;
  orderStatus: OrderStatus;
  /** Money of it that is on its way; starting its process again changes nothing. */
  refundsDue: RefundDue[];
}

export interface RefundApproval {
  /** The kept note that says who approves, with their words. */
  noteId: string;
  /** Null: all that was asked. */
  amountMinor: number | null;
  /** Whether the goods go back on the shelf. */
  restock: boolean;
}

/** Asks money back. Refused: CANNOT_REFUND, REFUND_PERIOD_EXPIRED, REFUND_ALREADY_REQUESTED, VALIDATION_ERROR. */
export const requestRefund = defineUpdate<RefundAsked, [RequestRefund]>('requestRefund');

/**
 * Gives money of a paid order back without a request of the buyer, approved at once. Refused: CANNOT_REFUND,
 * REFUND_ALREADY_REQUESTED, VALIDATION_ERROR (more than is left, or what the order has not).
 */
export const refundOrder = defineUpdate<RefundStanding, [OrderRefund]>('refundOrder');

/** Sends the money on its way back. Refused: NOT_PENDING, VALIDATION_ERROR (more than was asked, or than is left). */
export const approveRefund = defineUpdate<RefundStanding, [RefundApproval]>('approveRefund');

/** Turns the request down, for the reason in the kept note. Refused: NOT_PENDING. */
export const rejectRefund = defineUpdate<RefundStanding, [{ noteId: string }]>('rejectRefund');

/** What a provider was to send back has come to an end, good or bad; which, is in the database. */
export const refundSettled = defineSignal('refundSettled');

interface Asked extends Pick<RefundRequestInput, 'refundRequestId' | 'orderId'> {
  /** ISO 8601. */
  at: string;
}

/** Each is one transaction, and answers as the first time when it runs again. */
export interface RefundRequestActivities {
  requestRefund: (wish: RefundRequestInput & RequestRefund & { at: string }) => Promise<RefundAsked>;
  refundOrder: (refund: RefundRequestInput & OrderRefund & { at: string }) => Promise<RefundStanding>;
  approveRefund: (approval: Asked & RefundApproval) => Promise<RefundStanding>;
  rejectRefund: (rejection: Asked & { noteId: string }) => Promise<RefundStanding>;
  /** Null: nothing was asked back. */
  refundStanding: (request: { refundRequestId: string }) => Promise<RefundStanding | null>;
}
