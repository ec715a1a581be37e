import { defineSignal } from '@temporalio/workflow';
import { decision } from '../../kit/decision';
import { defineProcess } from '../../kit/process';
import { summaryOf } from '../order/order-label.rules';
import type { OrderStatus } from '../order/order.states';
import type { RefundDue } from '../order/order.contract';
import { OPEN_REFUND_REQUESTS, type RefundRequestStatus } from './refund-request.states';

export interface RefundRequestInput {
  refundRequestId: string;
  orderId: string;
  userId: string;
  /** The order as people name it, for the summary. */
  label?: string;
  /** The state with which the process continues as new. */
  standing?: RefundStanding | undefined;
  /** When operators were last asked to decide it (ISO 8601); set by a process that continues as new. */
  askedAt?: string | null;
}

/** REFUSED: no request was opened. ABANDONED: an operator gave the process up; the rows stay as they are. */
export type RefundRequestResult = 'REFUSED' | 'REJECTED' | 'COMPLETED' | 'FAILED' | 'ABANDONED';

/** A request for money of an order, from its opening over the decision to the return of the money. */
export const refundRequestProcess = defineProcess<RefundRequestInput, RefundRequestResult, 'refundRequestId'>(
  {
    type: 'refundRequest',
    queue: 'interactive',
    area: 'commerce',
    id: ({ refundRequestId }) => `refund:${refundRequestId}`,
    entityId: ({ refundRequestId }) => refundRequestId,
    resource: 'refund',
    orderId: ({ orderId }) => orderId,
    userId: ({ userId }) => userId,
    summary: ({ orderId, label }) => summaryOf(label, 'refund request', `Refund of order ${orderId}`),
    repeatable: true,
    parks: true,
    ownMatter: 'your own refund',
    drives: {
      table: 'refund_requests',
      amount: ['approved_minor', 'requested_minor'],
      key: { refundRequestId: 'id', orderId: 'order_id', userId: 'user_id' },
      column: 'status',
      open: OPEN_REFUND_REQUESTS,
      since: ['decided_at', 'created_at'],
      settledSince: 'concluded_at',
    },
  },
);

/** Goods as the buyer named them: whole lines, or a number of units. Neither: all that is left. */
export interface RequestRefund {
  itemIds: string[] | null;
  items: { itemId: string; quantity: number }[] | null;
  /** The stored notes with the buyer's own words. */
  reasonNoteId: string;
  descriptionNoteId: string | null;
}

/** An administrator's own decision to give money back: units or an amount, or only the shipping. */
export interface OrderRefund {
  items: { itemId: string; quantity: number }[] | null;
  /** An amount without units. Not together with `items`. */
  amountMinor: number | null;
  /** True if to give back what is left of the shipping, with its tax. */
  includeShipping: boolean;
  /** The stored note that names the administrator, with the reason. */
  noteId: string;
}

/** The amounts of a request, in minor units. */
export interface RequestedRefund {
  requestedMinor: number;
  currency: string;
  /** ISO 8601. */
  createdAt: string;
  items: { itemId: string; quantity: number; amountMinor: number }[];
}

/** The state of a request. */
export interface RefundState {
  status: RefundRequestStatus;
  orderStatus: OrderStatus;
  /** Its money that is on its way; starting a process of it again changes nothing. */
  refundsDue: RefundDue[];
}

/** The state of a request, and until when (ISO 8601) it is to be decided; null: it is decided. */
export interface RefundStanding extends RefundState {
  decideBy: string | null;
}

export interface RefundApproval {
  /** The stored note that names the administrator, with their own words. */
  noteId: string;
  /** Null: all of the request. */
  amountMinor: number | null;
  /** True if the goods are restocked. */
  restock: boolean;
}

/** Opens a request for money back. Refused: CANNOT_REFUND, REFUND_PERIOD_EXPIRED, REFUND_ALREADY_REQUESTED, VALIDATION_ERROR. */
export const requestRefund = decision<RequestedRefund, [RequestRefund]>('requestRefund', {
  ifClosed: 'REFUND_ALREADY_REQUESTED',
});

/**
 * Gives money of a paid order back without a request of the buyer, approved at once. Refused: CANNOT_REFUND,
 * REFUND_ALREADY_REQUESTED, VALIDATION_ERROR (more than is left, or goods that the order does not have).
 */
export const refundOrder = decision<RefundState, [OrderRefund]>('refundOrder', {
  ifClosed: 'REFUND_ALREADY_REQUESTED',
});

/** Sends the money on its way back. Refused: NOT_PENDING, VALIDATION_ERROR (more than was requested, or than is left). */
export const approveRefund = decision<RefundState, [RefundApproval]>('approveRefund', {
  ifClosed: 'NOT_PENDING',
});

/** Turns the request down, for the reason in the stored note. Refused: NOT_PENDING. */
export const rejectRefund = decision<RefundState, [{ noteId: string }]>('rejectRefund', {
  ifClosed: 'NOT_PENDING',
});

/** A refund of the request has ended; its state is in the database. */
export const refundSettled = defineSignal('refundSettled');

interface RequestDecision extends Pick<RefundRequestInput, 'refundRequestId' | 'orderId'> {
  /** ISO 8601. */
  at: string;
}

/** Each is one transaction; run again, it returns the same as the first time. */
export interface RefundRequestActivities {
  requestRefund: (command: RefundRequestInput & RequestRefund & { at: string }) => Promise<RequestedRefund>;
  refundOrder: (refund: RefundRequestInput & OrderRefund & { at: string }) => Promise<RefundState>;
  approveRefund: (approval: RequestDecision & RefundApproval) => Promise<RefundState>;
  rejectRefund: (rejection: RequestDecision & { noteId: string }) => Promise<RefundState>;
  /** Null: there is no such request. `askedAt`: when operators were last asked to decide it, ISO 8601. */
  refundRequestState: (request: {
    refundRequestId: string;
    askedAt: string | null;
  }) => Promise<RefundStanding | null>;
}
