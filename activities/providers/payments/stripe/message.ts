import { z } from 'zod';
import type { RefundReportStatus } from '../../../../workflows/commerce/payment/payment-report.rules';
import {
  STRIPE_ATTEMPT,
  STRIPE_DISPUTE_LOST,
  STRIPE_REFUND,
  stripeEventMeaning,
} from '../../../../workflows/commerce/payment/stripe-event.rules';
import { idInKey } from '../../../../workflows/commerce/payout/transfer-out.rules';
import type { PaymentMessage } from '../port';
import { UNFINISHED } from './client';
import {
  feeOfDispute,
  OfAttempt,
  reportOfPayment,
  reportOfSession,
  StripeDispute,
  StripePayment,
  StripeRefund,
  StripeSession,
} from './objects';

const Event = z.object({ type: z.string(), data: z.object({ object: z.unknown() }) });
const Session = z.object({
  ...StripeSession.shape,
  ...OfAttempt.shape,
  payment_status: z.enum(['paid', 'unpaid', 'no_payment_required']),
});
const Payment = z.object({ ...StripePayment.shape, ...OfAttempt.shape });

/** Reads an event of Stripe; null for an event that we do not apply, or that is not of Stripe's form. */
export function stripeMessage(value: unknown): PaymentMessage | null {
  const event = Event.safeParse(value);
  const meaning = event.success ? stripeEventMeaning(event.data.type) : null;
  if (!event.success || !meaning) return null;
  const { object } = event.data.data;
  if (meaning.about === 'session') return sessionMessage(object, meaning.says);
  if (meaning.about === 'refund') return refundMessage(object);
  return meaning.about === 'payment'
    ? paymentMessage(object, meaning.says)
    : disputeMessage(object, meaning.says);
}

type Says<About> = Extract<NonNullable<ReturnType<typeof stripeEventMeaning>>, { about: About }>['says'];

function sessionMessage(object: unknown, says: Says<'session'>): PaymentMessage | null {
  const session = Session.safeParse(object);
  if (!session.success) return null;
  const key = session.data.metadata[STRIPE_ATTEMPT];
  if (says === 'COMPLETED' && session.data.payment_status !== 'paid') return { about: 'delay', key };
  const status = says === 'COMPLETED' ? 'PAID' : says;
  if (status === 'PAID' && !session.data.payment_intent) return null;
  return { about: 'payment', key, report: reportOfSession(session.data, status) };
}

function paymentMessage(object: unknown, says: Says<'payment'>): PaymentMessage | null {
  const payment = Payment.safeParse(object);
  if (!payment.success) return null;
  const key = payment.data.metadata[STRIPE_ATTEMPT];
  return { about: 'payment', key, report: { ...reportOfPayment(payment.data, says), pageStaysOpen: true } };
}

function refundMessage(object: unknown): PaymentMessage | null {
  const refund = StripeRefund.safeParse(object);
  const status = refund.success ? refundStatusOf(refund.data.status) : null;
  if (!refund.success || status === null) return null;
  const { id: providerRefundId, payment_intent: paymentId, amount: amountMinor, currency } = refund.data;
  const refundId = idInKey(refund.data.metadata?.[STRIPE_REFUND] ?? '');
  return {
    about: 'refund',
    refund: { providerRefundId, refundId, paymentId, status, amountMinor, currency },
  };
}

function refundStatusOf(status: string | null | undefined): RefundReportStatus | null {
  if (status === 'succeeded') return 'COMPLETED';
  if (status === 'failed' || status === 'canceled') return 'FAILED';
  return UNFINISHED.includes(status) ? 'PENDING' : null;
}

function disputeMessage(object: unknown, says: Says<'dispute'>): PaymentMessage | null {
  const dispute = StripeDispute.safeParse(object);
  if (!dispute.success) return null;
  // One that was won is returned by an event of its own.
  if (says === 'CLOSED' && dispute.data.status !== STRIPE_DISPUTE_LOST) return null;
  const status = says === 'CLOSED' ? 'LOST' : says;
  const { id: chargebackId, payment_intent: paymentId, amount: amountMinor, currency } = dispute.data;
  const fee = feeOfDispute(dispute.data);
  return {
    about: 'chargeback',
    chargeback: { chargebackId, paymentId, status, amountMinor, currency, ...fee },
  };
}
