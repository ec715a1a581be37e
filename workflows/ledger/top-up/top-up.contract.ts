import { defineSignal } from '@temporalio/workflow';
import type { PaymentOffer } from '../../commerce/payment/payment-page.contract';
import { summaryOf } from '../../commerce/order/order-label.rules';
import type { FoundMoneyActivities } from '../../commerce/payment/found-money.contract';
import { decision } from '../../kit/decision';
import { defineProcess } from '../../kit/process';
import type { TopUpMethod } from './top-up.rules';
import type { TopUpStatus } from './top-up.states';

export interface TopUpInput {
  topUpId: string;
  userId: string;
  /** The number that it gets, drawn by the starter so that the process can be found by it. */
  number?: string;
  /** As people name it, with its amount, for the summary. */
  label?: string;
  /** It is there before its process, which lost the one before: there is no update that opens it. */
  exists?: true;
}

export interface TopUpState {
  status: TopUpStatus;
  /** The end of the payment window (ISO 8601). */
  payBy: string;
  label: string;
  /** True if it no longer waits for payment, and a page on which it could be paid may still be open. */
  pagesLeft?: true;
}

export type TopUpResult = 'PAID' | 'CANCELLED' | 'REFUSED' | 'ABANDONED';

/** One amount that a user pays into their wallet. */
export const topUpProcess = defineProcess<TopUpInput, TopUpResult, 'topUpId'>({
  type: 'topUp',
  queue: 'interactive',
  area: 'ledger',
  id: ({ topUpId }) => `top-up:${topUpId}`,
  entityId: ({ topUpId }) => topUpId,
  resource: 'top-up',
  userId: ({ userId }) => userId,
  summary: ({ topUpId, label }) => summaryOf(label, 'top-up', `Top-up ${topUpId}`),
  repeatable: true,
  parks: true,
  drives: {
    table: 'top_ups',
    name: 'number',
    amount: 'amount_minor',
    key: { topUpId: 'id', userId: 'user_id' },
    column: 'status',
    open: ['PENDING_PAYMENT'],
    since: 'created_at',
    settledSince: 'ended_at',
  },
});

/** A request to top up. The API has checked its form only. */
export interface OpenTopUp {
  amountMinor: number;
  currency: string;
  paymentMethod: TopUpMethod;
  attemptId: string;
}

export interface OpenedTopUp {
  standing: TopUpState;
  /** Null when it no longer waits for its payment. */
  payment: PaymentOffer | null;
}

/** Opens it. Refused with the codes of POST /users/me/balance/top-up. */
export const openTopUp = decision<OpenedTopUp, [OpenTopUp]>('openTopUp', { ifClosed: 'SERVICE_UNAVAILABLE' });
/** Cancels it while it waits for its payment; one that is cancelled only returns its state. Refused: CANNOT_CANCEL. */
export const cancelTopUp = decision<TopUpState, [null]>('cancelTopUp', { ifClosed: 'CANNOT_CANCEL' });
/** A provider, or an administrator, has reported on its payment. */
export const topUpPaymentReported = defineSignal('topUpPaymentReported');

/** Each is one transaction; run again, it returns the same as the first time. */
export interface TopUpActivities extends FoundMoneyActivities {
  openTopUp: (command: TopUpInput & OpenTopUp & { at: string }) => Promise<OpenedTopUp>;
  /** Its state; null when it was never opened. */
  topUpState: (topUp: { topUpId: string }) => Promise<TopUpState | null>;
  /** Cancels it while it waits for its payment. Refused: CANNOT_CANCEL. */
  cancelTopUp: (topUp: { topUpId: string; at: string }) => Promise<TopUpState>;
  /** Cancels it after its payment window; one that was paid in the meantime stays. */
  expireTopUp: (topUp: { topUpId: string; at: string }) => Promise<TopUpState>;
}
