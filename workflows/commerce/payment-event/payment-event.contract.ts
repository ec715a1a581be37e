import { defineProcess } from '../../kit/process';
import type { RefundDue } from '../order/order.contract';
import {
  reportsOf,
  webhookProcessId,
  type WebhookEventActivities,
  type WebhookEventInput,
} from '../webhook/webhook-event.contract';
import type { PayableRef } from '../payable/payable.rules';

export type PaymentEventInput = WebhookEventInput;

export type PaymentEventResult = 'PROCESSED' | 'IGNORED' | 'DEAD' | 'DISCARDED';

/** One report of a payment provider, applied exactly once. */
export const paymentEventProcess = defineProcess<
  PaymentEventInput,
  PaymentEventResult,
  'provider' | 'webhookEventId' | 'replays'
>({
  type: 'paymentEvent',
  queue: 'ingest',
  area: 'commerce',
  id: webhookProcessId,
  entityId: ({ webhookEventId }) => webhookEventId,
  resource: 'report',
  summary: ({ provider, externalEventId }) => `Payment report ${externalEventId} of ${provider}`,
  repeatable: true,
  parks: true,
  ownMatter: 'a report about yourself, your own payment or investment',
  drives: reportsOf('PAYMENT'),
});

export interface PaymentEventActivities extends WebhookEventActivities {
  /**
   * Applies a stored report and marks it, in one transaction. UNKNOWN_PAYMENT: its payment is not recorded (yet). FOREIGN: nor will
   * it ever be, since `isForeign` says that it is another system's; the report is IGNORED.
   * DISCARDED: a person decided that it is never applied. Throws, non-retryable, for a report that can never be applied.
   */
  applyPaymentEvent: (event: {
    webhookEventId: string;
    at: string;
    isForeign?: boolean;
  }) => Promise<AppliedEvent>;
}

export interface PaymentEventProviderActivities {
  /** True if the provider has the payment for certain, and it is another system's that shares our account there. */
  isForeignPayment: (payment: { provider: string; paymentId: string }) => Promise<boolean>;
}

export type AppliedEvent =
  /** `paymentId`: the provider's id of the payment, of which the report carries no id of ours; left out: it carries one. */
  | { outcome: 'UNKNOWN_PAYMENT'; paymentId?: string }
  | { outcome: 'FOREIGN' }
  | { outcome: 'DISCARDED' }
  | (PayableRef & AppliedReport);

/** The effect of a report on what was paid for. */
export interface AppliedReport {
  /** RETURNED: the money paid nothing (late, twice, of another amount); it is booked and goes back. */
  outcome: 'APPLIED' | 'RETURNED' | 'WITHOUT_EFFECT';
  userId: string;
  /** The order or the participation as people name it. */
  label: string;
  /** True if it is an order that is paid, and fulfilment has not picked it up yet. */
  awaitsFulfilment: boolean;
  refundsDue: RefundDue[];
  /** Refunds that a decided chargeback concerns, whether their processes run, are parked or have ended. */
  refundsToWake?: RefundDue[];
  /** Refunds that the report is about, whose processes look at them; left out: none. */
  refundsReported?: RefundDue[];
  /** Withdrawals from a wallet that a chargeback has ended; left out: none. */
  withdrawalsEnded?: string[];
  /** The words of a decision that a person has to make; left out: there is none. */
  toDecide?: string;
}
