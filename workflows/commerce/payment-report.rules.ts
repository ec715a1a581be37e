/** What a payment provider can say became of a payment. */
const PAYMENT_OUTCOMES = ['PAID', 'DECLINED', 'EXPIRED'] as const;
export type PaymentOutcome = (typeof PAYMENT_OUTCOMES)[number];

const typeOf = {
  PAID: 'payment.paid',
  DECLINED: 'payment.declined',
  EXPIRED: 'payment.expired',
} as const satisfies Record<PaymentOutcome, string>;

export type PaymentReportType = (typeof typeOf)[PaymentOutcome];

/** The body of a payment provider's webhook. */
export interface PaymentReportBody {
  type: PaymentReportType;
  /** ISO 8601: when it happened, which is not when it is told. */
  timestamp: string;
  data: {
    /** The payment attempt's id, as the payment was opened with. */
    key: string;
    /** The provider's own id of the payment; one for each time money moved. */
    paymentId: string;
    amountMinor: number;
    currency: string;
  };
}

export const paymentReportType = (outcome: PaymentOutcome): PaymentReportType => typeOf[outcome];

/** The outcome that a report's type tells; null for a type that we don't know. */
export function paymentOutcome(type: string): PaymentOutcome | null {
  return PAYMENT_OUTCOMES.find((outcome) => typeOf[outcome] === type) ?? null;
}
