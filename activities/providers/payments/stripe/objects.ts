import { z } from 'zod';
import { MAX_AMOUNT_MINOR } from '../../../../workflows/commerce/money.rules';
import type { PaymentReport } from '../../../../workflows/commerce/payment/payment-report.rules';
import { STRIPE_ATTEMPT, STRIPE_REFUND } from '../../../../workflows/commerce/payment/stripe-event.rules';
import { TRANSFER_KEY } from '../../../../workflows/commerce/payout/transfer-out.rules';
import { ProviderId } from '../provider-id';

/*
 * The fields that we read of Stripe's objects, in answers and in events. Data of another company is checked like anything
 * from outside, signed or not.
 */

const Amount = z.number().int().positive().max(MAX_AMOUNT_MINOR);
const Currency = z
  .string()
  .regex(/^[A-Za-z]{3}$/)
  .transform((currency) => currency.toUpperCase());
/** A reference: the id of an object, or the object itself. */
const Named = z.union([ProviderId, z.object({ id: ProviderId }).transform(({ id }) => id)]);

/** Sessions and payments carry the attempt that they were opened for. */
export const OfAttempt = z.object({ metadata: z.object({ [STRIPE_ATTEMPT]: z.uuid() }) });

export const StripeSession = z.object({
  id: ProviderId,
  payment_intent: Named.nullish(),
  amount_total: Amount,
  currency: Currency,
});

export const StripePayment = z.object({
  id: ProviderId,
  amount: Amount,
  currency: Currency,
});

export const StripeDispute = z.object({
  id: ProviderId,
  payment_intent: Named,
  amount: Amount,
  currency: Currency,
  status: z.string().nullish(),
  /** Stripe's bookings on our account for it so far, with their fees; a returned fee is negative. */
  balance_transactions: z.array(z.object({ fee: z.number().int(), currency: Currency })).nullish(),
});

export const StripeRefund = z.object({
  id: ProviderId,
  payment_intent: Named,
  amount: Amount,
  currency: Currency,
  status: z.string().nullish(),
  /** Ours carry their key; others of a shared account may have anything there. */
  metadata: z.object({ [STRIPE_REFUND]: z.string().regex(TRANSFER_KEY).nullish().catch(null) }).nullish(),
});

/** The sum of Stripe's fees for a dispute by now, in our account's currency; absent while it has booked nothing. */
export function feeOfDispute({
  balance_transactions: booked,
}: Pick<z.output<typeof StripeDispute>, 'balance_transactions'>): {
  fee?: { amountMinor: number; currency: string };
} {
  const [first] = booked ?? [];
  if (!booked || !first) return {};
  const feeMinor = booked.reduce((sum, { fee }) => sum + fee, 0);
  return { fee: { amountMinor: Math.max(0, feeMinor), currency: first.currency } };
}

/** A session as a report of this status. */
export function reportOfSession(
  session: z.output<typeof StripeSession>,
  status: PaymentReport['status'],
): PaymentReport {
  const { id, payment_intent: payment, amount_total: amountMinor, currency } = session;
  // Refunds and disputes name money by its payment; a session that brought no money has only its own id.
  if (status === 'PAID' && !payment) throw new Error(`Stripe's session ${id} is paid by no payment.`);
  return { paymentId: payment ?? id, status, amountMinor, currency };
}

export const reportOfPayment = (
  { id, amount, currency }: z.output<typeof StripePayment>,
  status: PaymentReport['status'],
): PaymentReport => ({ paymentId: id, status, amountMinor: amount, currency });
