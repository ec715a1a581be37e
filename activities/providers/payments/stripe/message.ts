import { z } from 'zod';
import { MAX_AMOUNT_MINOR } from '../../../../workflows/commerce/money.rules';
import type {
  ChargebackStatus,
  PaymentOutcome,
  PaymentReport,
  RefundReportStatus,
} from '../../../../workflows/commerce/payment/payment-report.rules';
import { idInKey, TRANSFER_KEY } from '../../../../workflows/commerce/payout/transfer-out.rules';
import { valueAt } from '../../../../workflows/commerce/webhook/report-subject.rules';
import { ProviderId, type PaymentMessage } from '../message';

/*
 * Stripe's objects, in answers and in events, and the meaning of its events. Data of another company is checked like
 * anything from outside, signed or not.
 */

/** Names in the metadata of Stripe's objects under which these carry our attempt's id, and the keys of refunds and transfers. */
export const STRIPE_ATTEMPT = 'attempt_id';
export const STRIPE_REFUND = 'refund_id';
export const STRIPE_TRANSFER = 'transfer_key';

/** The subject of a Stripe event, and its message. */
export type StripeEventMeaning =
  | { about: 'session'; says: PaymentOutcome | 'COMPLETED' }
  | { about: 'payment'; says: PaymentOutcome }
  | { about: 'dispute'; says: ChargebackStatus }
  | { about: 'refund'; says: 'CHANGED' };

/**
 * The Stripe events that are applied; the webhook address has to be subscribed to them, and to no others.
 * A session that is COMPLETED is paid, or will be when a slow method has delivered: the session tells which.
 * A payment that failed leaves its page open: the buyer may use another card there.
 * A dispute that is closed was lost, won or withdrawn, as it tells itself; only a lost one is applied.
 * A refund that has CHANGED says its status itself; one without our id was made by somebody in Stripe's dashboard.
 */
const meanings = {
  'checkout.session.completed': { about: 'session', says: 'COMPLETED' },
  'checkout.session.async_payment_succeeded': { about: 'session', says: 'PAID' },
  'checkout.session.async_payment_failed': { about: 'session', says: 'DECLINED' },
  'checkout.session.expired': { about: 'session', says: 'EXPIRED' },
  'payment_intent.payment_failed': { about: 'payment', says: 'DECLINED' },
  'charge.dispute.funds_withdrawn': { about: 'dispute', says: 'TAKEN' },
  'charge.dispute.closed': { about: 'dispute', says: 'LOST' },
  'charge.dispute.funds_reinstated': { about: 'dispute', says: 'RETURNED' },
  'refund.created': { about: 'refund', says: 'CHANGED' },
  'refund.updated': { about: 'refund', says: 'CHANGED' },
  'refund.failed': { about: 'refund', says: 'CHANGED' },
} as const satisfies Record<string, StripeEventMeaning>;

/** The meaning of an event's type; null for a type that is not applied. */
export const stripeEventMeaning = (type: string): StripeEventMeaning | null =>
  Object.hasOwn(meanings, type) ? meanings[type as keyof typeof meanings] : null;

const Amount = z.number().int().positive().max(MAX_AMOUNT_MINOR);
const Currency = z
  .string()
  .regex(/^[A-Za-z]{3}$/)
  .transform((currency) => currency.toUpperCase());
/** A reference: the id of an object, or the object itself. */
const Named = z.union([ProviderId, z.object({ id: ProviderId }).transform(({ id }) => id)]);

/** Sessions and payments of an account that others use too are ours only if they carry an attempt of ours. */
export const OfAttempt = z.object({ metadata: z.object({ [STRIPE_ATTEMPT]: z.uuid() }) });
/** A refund without our id may be of a payment of ours all the same, which its process looks for; one of no payment is not. */
const OfPayment = z.object({ payment_intent: z.union([z.string(), z.object({})]) });
/** A closed dispute is applied when we lost it: one that was won is returned by an event of its own. */
const Lost = z.object({ status: z.literal('lost') });

const session = { id: ProviderId, payment_intent: Named.nullish(), amount_total: Amount, currency: Currency };
export const StripeSession = z.object(session);
const SessionOfAttempt = OfAttempt.extend({
  ...session,
  payment_status: z.enum(['paid', 'unpaid', 'no_payment_required']),
});

const payment = { id: ProviderId, amount: Amount, currency: Currency };
export const StripePayment = z.object(payment);
const PaymentOfAttempt = OfAttempt.extend(payment);

const StripeDispute = z.object({
  id: ProviderId,
  payment_intent: Named,
  amount: Amount,
  currency: Currency,
  /** Stripe's bookings on our account for it so far, with their fees; a returned fee is negative. */
  balance_transactions: z.array(z.object({ fee: z.number().int(), currency: Currency })).nullish(),
});

const StripeRefund = z.object({
  id: ProviderId,
  payment_intent: Named,
  amount: Amount,
  currency: Currency,
  status: z.string().nullish(),
  /** Ours carry their key; others of a shared account may have anything there. */
  metadata: z.object({ [STRIPE_REFUND]: z.string().regex(TRANSFER_KEY).nullish().catch(null) }).nullish(),
});

/** Stripe's statuses of a refund that it has not finished. */
export const UNFINISHED: readonly (string | null | undefined)[] = ['pending', 'requires_action'];

/** A session as a report of this status. */
export function reportOfSession(
  { id, payment_intent: payment, amount_total: amountMinor, currency }: z.output<typeof StripeSession>,
  status: PaymentReport['status'],
): PaymentReport {
  // Refunds and disputes name money by its payment; a session that brought no money has only its own id.
  if (status === 'PAID' && !payment) throw new Error(`Stripe's session ${id} is paid by no payment.`);
  return { paymentId: payment ?? id, status, amountMinor, currency };
}

export const reportOfPayment = (
  { id, amount, currency }: z.output<typeof StripePayment>,
  status: PaymentReport['status'],
): PaymentReport => ({ paymentId: id, status, amountMinor: amount, currency });

/** The meaning and the object of an event that is applied; null for one of a type that is not, or that is not about us. */
export function ourStripeEvent(event: unknown): { meaning: StripeEventMeaning; object: unknown } | null {
  const type = valueAt(event, ['type']);
  const meaning = typeof type === 'string' ? stripeEventMeaning(type) : null;
  const object = valueAt(event, ['data', 'object']);
  return meaning && isOurs(meaning, object) ? { meaning, object } : null;
}

function isOurs({ about, says }: StripeEventMeaning, object: unknown): boolean {
  if (about === 'refund') return OfPayment.safeParse(object).success;
  if (about === 'dispute') return says !== 'LOST' || Lost.safeParse(object).success;
  return OfAttempt.safeParse(object).success;
}

/** Reads an event of Stripe; null for an event that we do not apply, or that is not of Stripe's form. */
export function stripeMessage(event: unknown): PaymentMessage | null {
  const ours = ourStripeEvent(event);
  if (!ours) return null;
  const { meaning, object } = ours;
  if (meaning.about === 'session') return sessionMessage(object, meaning.says);
  if (meaning.about === 'refund') return refundMessage(object);
  return meaning.about === 'payment'
    ? paymentMessage(object, meaning.says)
    : disputeMessage(object, meaning.says);
}

type Says<About> = Extract<StripeEventMeaning, { about: About }>['says'];

function sessionMessage(object: unknown, says: Says<'session'>): PaymentMessage | null {
  const parsed = SessionOfAttempt.safeParse(object);
  if (!parsed.success) return null;
  const key = parsed.data.metadata[STRIPE_ATTEMPT];
  if (says === 'COMPLETED' && parsed.data.payment_status !== 'paid') return { about: 'delay', key };
  const status = says === 'COMPLETED' ? 'PAID' : says;
  if (status === 'PAID' && !parsed.data.payment_intent) return null;
  return { about: 'payment', key, report: reportOfSession(parsed.data, status) };
}

function paymentMessage(object: unknown, says: Says<'payment'>): PaymentMessage | null {
  const parsed = PaymentOfAttempt.safeParse(object);
  if (!parsed.success) return null;
  const key = parsed.data.metadata[STRIPE_ATTEMPT];
  return { about: 'payment', key, report: { ...reportOfPayment(parsed.data, says), pageStaysOpen: true } };
}

function refundMessage(object: unknown): PaymentMessage | null {
  const parsed = StripeRefund.safeParse(object);
  const status = parsed.success ? refundStatusOf(parsed.data.status) : null;
  if (!parsed.success || status === null) return null;
  const { id: providerRefundId, payment_intent: paymentId, amount: amountMinor, currency } = parsed.data;
  const refundId = idInKey(parsed.data.metadata?.[STRIPE_REFUND] ?? '');
  const refund = { providerRefundId, refundId, paymentId, status, amountMinor, currency };
  return { about: 'refund', refund };
}

function refundStatusOf(status: string | null | undefined): RefundReportStatus | null {
  if (status === 'succeeded') return 'COMPLETED';
  if (status === 'failed' || status === 'canceled') return 'FAILED';
  return UNFINISHED.includes(status) ? 'PENDING' : null;
}

function disputeMessage(object: unknown, status: Says<'dispute'>): PaymentMessage | null {
  const parsed = StripeDispute.safeParse(object);
  if (!parsed.success) return null;
  const { id: chargebackId, payment_intent: paymentId, amount: amountMinor, currency } = parsed.data;
  const fee = feeOf(parsed.data);
  return {
    about: 'chargeback',
    chargeback: { chargebackId, paymentId, status, amountMinor, currency, ...fee },
  };
}

/** The sum of Stripe's fees for a dispute by now, in our account's currency; absent while it has booked nothing. */
function feeOf({ balance_transactions: booked }: z.output<typeof StripeDispute>): {
  fee?: { amountMinor: number; currency: string };
} {
  const [first] = booked ?? [];
  if (!booked || !first) return {};
  const feeMinor = booked.reduce((sum, { fee }) => sum + fee, 0);
  return { fee: { amountMinor: Math.max(0, feeMinor), currency: first.currency } };
}
