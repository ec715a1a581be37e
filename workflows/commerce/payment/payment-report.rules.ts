import { idAt, type ReportFacts } from '../webhook/report-subject.rules';

/** Outcomes of a payment that a provider can report. */
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
  /** ISO 8601: when it happened, not when it is reported. */
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

/** Report types of chargebacks: the buyer's bank takes the money back, keeps it for good, or returns it to us. */
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
    /** The sum of the fees that the provider has taken for it, where it takes any. */
    feeMinor?: number;
  };
}

/** The status of a chargeback by a report's type; null for a type that is not about one. */
export const chargebackStatus = (type: string): ChargebackStatus | null =>
  Object.hasOwn(chargebackOf, type) ? chargebackOf[type as ChargebackReportType] : null;

/** Report types of refunds: the provider has it pending, has sent it, or could not deliver it, also after it was sent. */
const refundOf = {
  'refund.pending': 'PENDING',
  'refund.completed': 'COMPLETED',
  'refund.failed': 'FAILED',
} as const satisfies Record<string, RefundReportStatus>;

export type RefundReportStatus = 'PENDING' | 'COMPLETED' | 'FAILED';
export type RefundReportType = keyof typeof refundOf;

/** The status of a refund by a report's type; null for a type that is not about one. */
export const refundReportStatus = (type: string): RefundReportStatus | null =>
  Object.hasOwn(refundOf, type) ? refundOf[type as RefundReportType] : null;

/** A provider's report on one refund. */
export interface RefundReport {
  /** The provider's own id of it. */
  providerRefundId: string;
  /** Our refund's id; null: nobody here has requested it, as for one that was made in the provider's dashboard. */
  refundId: string | null;
  /** The provider's own id of the payment. */
  paymentId: string;
  status: RefundReportStatus;
  amountMinor: number;
  currency: string;
}

/** A provider's report on one payment. */
export interface PaymentReport {
  /** The provider's own id of it. */
  paymentId: string;
  status: PaymentOutcome;
  amountMinor: number;
  currency: string;
  /** True for a payment that was declined and can be tried again on the same page. */
  pageStaysOpen?: true;
}

/** A provider's report on one chargeback: a buyer's bank took a payment back, keeps it, or returned it to us. */
export interface ChargebackReport {
  chargebackId: string;
  /** The provider's own id of the payment. */
  paymentId: string;
  status: ChargebackStatus;
  amountMinor: number;
  currency: string;
  /** The sum of the provider's fees for it, in the currency of our account there; absent: the report names none. */
  fee?: { amountMinor: number; currency: string };
}

/** True if reports of this type are applied. */
export const isKnownReport = (type: string): boolean =>
  paymentOutcome(type) !== null || chargebackStatus(type) !== null || refundReportStatus(type) !== null;

export const paymentReportType = (outcome: PaymentOutcome): PaymentReportType => typeOf[outcome];

/** The outcome by a report's type; null for a type that we do not know. */
export function paymentOutcome(type: string): PaymentOutcome | null {
  return PAYMENT_OUTCOMES.find((outcome) => typeOf[outcome] === type) ?? null;
}

/** The sender's id of the subject of a report: of the attempt to pay, or of the payment that a refund or a chargeback is about. */
export const subjectOfReport = (_type: string, value: unknown): string | null =>
  idAt(value, ['data', 'chargebackId'], ['data', 'refundId']) === null
    ? idAt(value, ['data', 'key'], ['data', 'paymentId'])
    : idAt(value, ['data', 'paymentId']);

/** The facts of a report. */
export const factsOfReport = (type: string, value: unknown): ReportFacts => ({
  subject: subjectOfReport(type, value),
  movement: idAt(value, ['data', 'chargebackId'], ['data', 'refundId'], ['data', 'paymentId']),
  outcome: paymentOutcome(type) === 'PAID' ? 'PAID' : chargebackStatus(type),
  amountMinor: null,
});
