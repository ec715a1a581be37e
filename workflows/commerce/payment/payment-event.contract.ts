import { defineProcess } from '../../kit/process';
import type { RefundDue } from '../order/order.contract';

export interface PaymentEventInput {
  /** The payment provider's code. */
  provider: string;
  /** The provider's own id of the event; with the provider it makes the event unique. */
  externalEventId: string;
  /** Our row of the stored event. */
  webhookEventId: string;
}

export type PaymentEventResult = 'PROCESSED' | 'IGNORED' | 'DEAD';

/** One report of a payment provider, applied exactly once. */
export const paymentEventProcess = defineProcess<
  PaymentEventInput,
  PaymentEventResult,
  'provider' | 'externalEventId'
>({
  type: 'paymentEvent',
  queue: 'ingest',
  area: 'commerce',
  id: ({ provider, externalEventId }) => `webhook:${provider}:${externalEventId}`,
  entityId: ({ webhookEventId }) => webhookEventId,
  summary: ({ provider, externalEventId }) => `Payment report ${externalEventId} of ${provider}`,
});

export interface PaymentEventActivities {
  /** The deadline (ISO 8601) until which a report, waiting since `at`, waits for its payment to be recorded. */
  eventPatience: (wait: { at: string }) => Promise<string>;
  /**
   * Applies a stored report and marks it, in one transaction. UNKNOWN_PAYMENT: its payment is not recorded (yet).
   * Throws, non-retryable, for a report that can never be applied.
   */
  applyPaymentEvent: (event: { webhookEventId: string; at: string }) => Promise<AppliedEvent>;
  /** Marks an event dead, with the reason that administrators read. */
  buryEvent: (event: { webhookEventId: string; reason: string; at: string }) => Promise<void>;
}

export type AppliedEvent =
  | { outcome: 'UNKNOWN_PAYMENT' }
  | {
      /** RETURNED: the money paid nothing (late, twice, of another amount); it is booked and goes back. */
      outcome: 'APPLIED' | 'RETURNED' | 'WITHOUT_EFFECT';
      orderId: string;
      userId: string;
      /** The order as people name it; left out by earlier versions. */
      label?: string;
      /** True if the order is paid and fulfilment has not picked it up yet. */
      awaitsFulfilment: boolean;
      refundsDue: RefundDue[];
      /** Refunds that a decided chargeback concerns, whether their processes run, are parked or have ended. */
      refundsToWake?: RefundDue[];
    };
