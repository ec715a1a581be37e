import { z } from 'zod';
import { MAX_AMOUNT_MINOR } from '../../../workflows/commerce/money.rules';
import {
  chargebackStatus,
  paymentOutcome,
  refundReportStatus,
  type ChargebackReport,
  type PaymentReport,
  type RefundReport,
  type RefundReportStatus,
} from '../../../workflows/commerce/payment/payment-report.rules';
import { withoutNulls } from '../../../workflows/commerce/webhook/report-fields.rules';
import { idInKey, TRANSFER_KEY } from '../../../workflows/commerce/payout/transfer-out.rules';

/** A provider's event, translated into our terms. */
export type PaymentMessage =
  | { about: 'payment'; key: string; report: PaymentReport }
  | { about: 'chargeback'; chargeback: ChargebackReport }
  | { about: 'refund'; refund: RefundReport }
  /** The payment is under way; its outcome is reported later. */
  | { about: 'delay'; key: string };

/**
 * A provider's own id of an object.
 * Chosen: printable ASCII. PostgreSQL stores broken characters changed, which could make two ids, and two payments, one.
 */
export const ProviderId = z.string().regex(/^[\x21-\x7e]{1,200}$/);

const Report = z.object({
  type: z.string(),
  data: z.object({
    key: z.uuid(),
    paymentId: ProviderId,
    chargebackId: ProviderId.optional(),
    amountMinor: z.number().int().positive().max(MAX_AMOUNT_MINOR),
    feeMinor: z.number().int().nonnegative().optional(),
    currency: z.string().regex(/^[A-Z]{3}$/),
  }),
});

const Refund = z.object({
  type: z.string(),
  data: z.object({
    /** The key by which it was requested; left out of one that nobody here has requested. */
    key: z.string().regex(TRANSFER_KEY).optional(),
    refundId: ProviderId,
    paymentId: ProviderId,
    amountMinor: z.number().int().positive().max(MAX_AMOUNT_MINOR),
    currency: z.string().regex(/^[A-Z]{3}$/),
  }),
});

function refundMessage(value: unknown, status: RefundReportStatus): PaymentMessage | null {
  const parsed = Refund.safeParse(value);
  if (!parsed.success) return null;
  const { key, refundId: providerRefundId, ...refund } = parsed.data.data;
  return { about: 'refund', refund: { ...refund, providerRefundId, refundId: idInKey(key ?? ''), status } };
}

const Typed = z.object({ type: z.string() });

/** Parses an event of Standard Webhooks, for providers without a format of their own; null if it does not match. */
export function standardMessage(sent: unknown): PaymentMessage | null {
  const value = withoutNulls(sent);
  const typed = Typed.safeParse(value);
  const refundStatus = typed.success ? refundReportStatus(typed.data.type) : null;
  if (refundStatus !== null) return refundMessage(value, refundStatus);
  const parsed = Report.safeParse(value);
  if (!parsed.success) return null;
  const { key, chargebackId, feeMinor, ...payment } = parsed.data.data;
  const outcome = paymentOutcome(parsed.data.type);
  if (outcome) return { about: 'payment', key, report: { ...payment, status: outcome } };
  const status = chargebackStatus(parsed.data.type);
  if (!status || chargebackId === undefined) return null;
  const fee = feeMinor === undefined ? {} : { fee: { amountMinor: feeMinor, currency: payment.currency } };
  return { about: 'chargeback', chargeback: { ...payment, ...fee, chargebackId, status } };
}
