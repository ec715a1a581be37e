import { z } from 'zod';
import { MAX_AMOUNT_MINOR } from '../../../../workflows/commerce/money.rules';
import type { PaymentReport } from '../../../../workflows/commerce/payment/payment-report.rules';
import { STRIPE_ATTEMPT } from '../../../../workflows/commerce/payment/stripe-event.rules';
import { ProviderId } from '../provider-id';

/*
 * What we read of Stripe's objects, whether they come as an answer or in an event. What another company sends is checked
 * like anything from outside, signed or not.
 */

const Amount = z.number().int().positive().max(MAX_AMOUNT_MINOR);
const Currency = z
  .string()
  .regex(/^[A-Za-z]{3}$/)
  .transform((currency) => currency.toUpperCase());
/** Named by its id, or put in whole. */
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
  /** What Stripe has booked to our account for it so far, with its fees; one that is returned is negative. */
  balance_transactions: z.array(z.object({ fee: z.number().int(), currency: Currency })).nullish(),
});

/** What Stripe has taken for a dispute by now; absent while it has booked nothing. All is in our account's currency. */
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

/** A session with what became of it. */
export function reportOfSession(
  session: z.output<typeof StripeSession>,
  status: PaymentReport['status'],
): PaymentReport {
  const { id, payment_intent: payment, amount_total: amountMinor, currency } = session;
  // Money is known by the payment, in refunds and disputes too; a session that brought none has nothing else than itself.
  if (status === 'PAID' && !payment) throw new Error(`Stripe's session ${id} is paid by no payment.`);
  return { paymentId: payment ?? id, status, amountMinor, currency };
}

export const reportOfPayment = (
  { id, amount, currency }: z.output<typeof StripePayment>,
  status: PaymentReport['status'],
): PaymentReport => ({ paymentId: id, status, amountMinor: amount, currency });
