/**
 * A company that moves buyers' money. Every call that moves something carries our business id as its key: asked
 * again with the same key, a provider answers as the first time. An answer that never came is looked up.
 */
export interface PaymentProvider {
  /** The name in webhook addresses and in our rows. */
  readonly code: string;

  /** Where the buyer pays, for methods with a hosted page; null where the provider shows none (bank transfer). */
  openPayment: (payment: OpenPayment) => Promise<{ paymentUrl: string | null }>;

  /** What became of a payment, by the key it was opened with; one row for each time money moved, oldest first. */
  lookUpPayment: (key: string) => Promise<PaymentReport[]>;

  /** Sends money back. `refused` is final for this key; a thrown error means that the outcome is unknown. */
  refund: (refund: RefundOrder) => Promise<RefundOutcome>;

  /** What became of a refund, by its key; null when the provider never heard of it. */
  lookUpRefund: (key: string) => Promise<RefundOutcome | null>;
}

export interface OpenPayment {
  /** Our payment attempt's id. */
  key: string;
  method: 'CARD' | 'EWALLET' | 'BANK_TRANSFER';
  amountMinor: number;
  currency: string;
  /** ISO 8601. */
  expiresAt: string;
  /** What the buyer reads on the page: the order number. */
  description: string;
}

export interface PaymentReport {
  paymentId: string;
  status: 'PAID' | 'DECLINED' | 'EXPIRED';
  amountMinor: number;
  currency: string;
}

export interface RefundOrder {
  /** Our refund's id. */
  key: string;
  /** The provider's id of the payment that is given back. */
  paymentId: string;
  amountMinor: number;
  currency: string;
}

export type RefundOutcome = { status: 'completed'; refundId: string } | { status: 'refused'; reason: string };
