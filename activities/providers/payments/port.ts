import type {
  ChargebackReport,
  PaymentReport,
} from '../../../workflows/commerce/payment/payment-report.rules';

/**
 * A company that moves buyers' money. Every call that moves something carries our business id as its key: asked
 * again with the same key, a provider answers as the first time. An answer that never came is looked up.
 */
export interface PaymentProvider {
  /** The name in webhook addresses and in our rows. */
  readonly code: string;

  /**
   * Whether opening a payment asks another company. Where it does not, the page's address follows from the payment
   * alone, and an order can be placed and its payment opened in one step.
   */
  readonly opensByCall: boolean;

  /**
   * Where the buyer pays. The same payment opened again has the same page. Throws ProviderRefusal when there will be
   * none; any other error means that there may be one.
   */
  openPayment: (payment: OpenPayment) => Promise<OpenedPayment>;

  /**
   * Lets nobody pay by this page any more; a payment that was made before stays made, and is then looked up. Answers or
   * throws within LOOK_UP_TIMES.callMs.
   */
  closePayment: (payment: PaymentHandle) => Promise<void>;

  /** What became of a payment; one row for each time money moved, oldest first. Within the same time. */
  lookUpPayment: (payment: PaymentHandle) => Promise<PaymentReport[]>;

  /** Sends money back. `refused` is final for this key; a thrown error means that the outcome is unknown. */
  refund: (refund: RefundOrder) => Promise<RefundOutcome>;

  /** What became of a refund, by its key; null when the provider never heard of it. */
  lookUpRefund: (refund: Pick<RefundOrder, 'key' | 'paymentId'>) => Promise<RefundOutcome | null>;
}

/** A provider's final no. */
export class ProviderRefusal extends Error {
  override readonly name = 'ProviderRefusal';
}

export interface OpenPayment {
  /** Our payment attempt's id. */
  key: string;
  method: 'CARD' | 'EWALLET';
  amountMinor: number;
  currency: string;
  /** When the attempt began, and until when it may be paid; ISO 8601. */
  openedAt: string;
  expiresAt: string;
  /** What the buyer reads on the page: the order number. */
  description: string;
}

export interface OpenedPayment {
  paymentUrl: string;
  /** What the provider calls the payment, where it has a name of its own for it. */
  reference: string | null;
}

/** A payment that was opened, or was to be. */
export interface PaymentHandle {
  key: string;
  /** Null: the provider gave none, or its answer was lost. */
  reference: string | null;
}

export interface RefundOrder {
  /** Our refund's id. A refund may be asked for again with less, once a chargeback has paid a part of it. */
  key: string;
  /** The provider's id of the payment that is given back. */
  paymentId: string;
  amountMinor: number;
  currency: string;
}

export type RefundOutcome =
  | { status: 'completed'; refundId: string; amountMinor: number }
  | { status: 'refused'; reason: string }
  /** A person has to send the money. */
  | { status: 'manual' };

/** What a provider's event says, in our words. */
export type PaymentMessage =
  | { about: 'payment'; key: string; report: PaymentReport }
  | { about: 'chargeback'; chargeback: ChargebackReport }
  /** The payment is under way; what became of it comes later. */
  | { about: 'delay'; key: string };
