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

/** What a buyer's bank does to a payment afterwards: it takes the money back, keeps it for good, or returns it to us. */
const chargebackOf = {
  'payment.charged_back': 'TAKEN',
  'payment.chargeback_lost': 'LOST',
  'payment.chargeback_returned': 'RETURNED',
} as const satisfies Record<string, ChargebackStatus>;

/** LOST: the dispute was decided for the buyer. A bank may still return the money, though it hardly ever does. */
export type ChargebackStatus = 'TAKEN' | 'LOST' | 'RETURNED';
export type ChargebackReportType = keyof typeof chargebackOf;

/** The body of a provider's webhook about a chargeback. */
export interface ChargebackReportBody {
  type: ChargebackReportType;
  timestamp: string;
  data: PaymentReportBody['data'] & {
    /** The provider's own id of the chargeback; the money that comes back has the same. */
    chargebackId: string;
    /** What the provider has taken for it in all, where it takes a fee. */
    feeMinor?: number;
  };
}

/** What a report's type tells of a chargeback; null for a type that is not about one. */
export const chargebackStatus = (type: string): ChargebackStatus | null =>
  Object.hasOwn(chargebackOf, type) ? chargebackOf[type as ChargebackReportType] : null;

/** What a provider says of one payment. */
export interface PaymentReport {
  /** The provider's own id of it. */
  paymentId: string;
  status: PaymentOutcome;
  amountMinor: number;
  currency: string;
}

/** What a provider says of one chargeback: a buyer's bank took a payment back, keeps it, or returned it to us. */
export interface ChargebackReport {
  chargebackId: string;
  /** The provider's own id of the payment. */
  paymentId: string;
  status: ChargebackStatus;
  amountMinor: number;
  currency: string;
  /** What the provider has taken for the chargeback in all, in the currency of our account there; absent: nothing said. */
  fee?: { amountMinor: number; currency: string };
}

/** Whether anything is to be made of a report of this type. */
export const isKnownReport = (type: string): boolean =>
  paymentOutcome(type) !== null || chargebackStatus(type) !== null;

export const paymentReportType = (outcome: PaymentOutcome): PaymentReportType => typeOf[outcome];

/** The outcome that a report's type tells; null for a type that we don't know. */
export function paymentOutcome(type: string): PaymentOutcome | null {
  return PAYMENT_OUTCOMES.find((outcome) => typeOf[outcome] === type) ?? null;
}
