import type { PaymentReport } from '../../../../workflows/commerce/payment/payment-report.rules';
import { idInKey, otherAttempt } from '../../../../workflows/commerce/payout/transfer-out.rules';
import { LOOK_UP_TIMES } from '../../../../workflows/kit/limits/provider-times';
import type { Driver } from '../../driver';
import {
  ProviderRefusal,
  type OpenedPayment,
  type OpenPayment,
  type PaymentHandle,
  type PaymentProvider,
  type RefundOrder,
  type RefundOutcome,
} from '../port';
import { CERTAIN_AFTER_MS } from '../../payouts/port';
import { stripeAmounts } from './amounts';
import {
  connectStripe,
  outcomeOfRefund,
  refusalOfStripe,
  type StripeClient,
  type StripeSettings,
} from './client';
import {
  OfAttempt,
  reportOfPayment,
  reportOfSession,
  STRIPE_ATTEMPT,
  STRIPE_REFUND,
  StripePayment,
  StripeSession,
} from './message';
import { stripePayouts } from './payouts';
import { PAGE_OPENS_WITHIN_MS, sessionFor } from './session';
import { stripeStatement } from './statement/statement';
import { stripeVariables } from './variables';

interface StripeConfig {
  STRIPE_SECRET_KEY?: string | undefined;
  STRIPE_API_BASE?: string | undefined;
  STRIPE_SUCCESS_URL?: string | undefined;
  STRIPE_CANCEL_URL?: string | undefined;
  PUBLIC_URL: string;
}

/** Stripe is set up where there is a key for it, also where it does not take payments. */
export const stripeDriver = {
  code: 'stripe',
  variables: stripeVariables,
  callsPerSecond: 50,
  lookUpsPerSecond: 20,
  payments: (config) => configured(config, stripeProvider),
  payouts: (config) => configured(config, stripePayouts),
  statement: (config) => configured(config, stripeStatement),
} satisfies Driver<StripeConfig>;

/** Makes something with Stripe's settings; null without a key. */
const configured = <Made>(config: StripeConfig, make: (settings: StripeSettings) => Made): Made | null => {
  const settings = stripeSettings(config);
  return settings && make(settings);
};

/** Stripe's settings; null without a key. */
export function stripeSettings({
  STRIPE_SECRET_KEY: secretKey,
  STRIPE_API_BASE: apiBase,
  STRIPE_SUCCESS_URL,
  STRIPE_CANCEL_URL,
  PUBLIC_URL,
}: StripeConfig): StripeSettings | null {
  if (secretKey === undefined) return null;
  const home = `${PUBLIC_URL}/api/docs/`;
  return {
    ...{ secretKey, apiBase },
    successUrl: STRIPE_SUCCESS_URL ?? home,
    cancelUrl: STRIPE_CANCEL_URL ?? home,
  };
}

/** Short, because a buyer waits for the page. */
const PAGE_WITHIN_MS = 3_500;

/** Short, because stock is held while attempts are looked up. */
const LOOK_UP = { timeout: LOOK_UP_TIMES.callMs };

/**
 * Stripe: a hosted page (Checkout Session) for each attempt to pay, refunds by payment. Our keys are Stripe's idempotency
 * keys, and are in the metadata of every object that we create.
 */
export function stripeProvider(settings: StripeSettings): PaymentProvider {
  let connected: Promise<StripeClient> | undefined;
  const client = (): Promise<StripeClient> => (connected ??= connectStripe(settings));
  return {
    code: 'stripe',
    opensWithinMs: PAGE_OPENS_WITHIN_MS,
    amounts: stripeAmounts,
    openPayment: async (payment) => openPage(await client(), payment, settings),
    closePayment: async (payment) => closePage(await client(), payment),
    lookUpPayment: async (payment) => reportsOf(await client(), payment),
    certainAfterMs: CERTAIN_AFTER_MS,
    refund: async (order) => refund(await client(), order),
    lookUpRefund: async (order) => findRefund(await client(), order),
    isForeign: async (paymentId) => isForeign(await client(), paymentId),
  };
}

async function openPage(
  stripe: StripeClient,
  payment: OpenPayment,
  settings: StripeSettings,
): Promise<OpenedPayment> {
  try {
    const { id, url } = await stripe.checkout.sessions.create(sessionFor(payment, settings), {
      idempotencyKey: payment.key,
      timeout: PAGE_WITHIN_MS,
    });
    if (!url) throw new ProviderRefusal(`Stripe's session ${id} has no page.`);
    return { paymentUrl: url, reference: id };
  } catch (error) {
    const why = refusalOfStripe(error);
    throw why === null ? error : new ProviderRefusal(why, { cause: error });
  }
}

async function closePage(stripe: StripeClient, { reference }: PaymentHandle): Promise<void> {
  if (reference === null) return; // No buyer has seen a page.
  try {
    await stripe.checkout.sessions.expire(reference, undefined, LOOK_UP);
  } catch (error) {
    if (refusalOfStripe(error) === null) throw error; // A refusal means that it is not open: paid, or closed before.
  }
}

/**
 * Reports of a session or, where its id was lost, of payments under our id. Nobody can pay on a page whose address was
 * lost, so finding money there would be a surprise, but money must not be lost by a mistake of ours.
 */
async function reportsOf(stripe: StripeClient, { key, reference }: PaymentHandle): Promise<PaymentReport[]> {
  if (reference === null) {
    const query = `status:'succeeded' AND metadata['${STRIPE_ATTEMPT}']:'${key}'`;
    const { data } = await stripe.paymentIntents.search({ query }, LOOK_UP);
    return data
      .filter(({ metadata }) => metadata[STRIPE_ATTEMPT] === key)
      .map((payment) => reportOfPayment(StripePayment.parse(payment), 'PAID'));
  }
  const session = await stripe.checkout.sessions.retrieve(reference, undefined, LOOK_UP);
  if (session.payment_status === 'paid') return [reportOfSession(StripeSession.parse(session), 'PAID')];
  return session.status === 'expired' ? [reportOfSession(StripeSession.parse(session), 'EXPIRED')] : [];
}

async function refund(
  stripe: StripeClient,
  { key, paymentId, amountMinor: amount }: RefundOrder,
): Promise<RefundOutcome> {
  try {
    const made = await stripe.refunds.create(
      { payment_intent: paymentId, amount, metadata: { [STRIPE_REFUND]: key } },
      // Stripe rejects a key with another amount: the call that used it may have sent the money.
      { idempotencyKey: key },
    );
    return outcomeOfRefund(made);
  } catch (error) {
    const reason = refusalOfStripe(error);
    if (reason === null) throw error;
    return { status: 'refused', reason };
  }
}

async function findRefund(
  stripe: StripeClient,
  { key, paymentId }: Pick<RefundOrder, 'key' | 'paymentId'>,
): Promise<RefundOutcome | null> {
  const id = idInKey(key);
  let known: RefundOutcome | null = null;
  for await (const made of stripe.refunds.list({ payment_intent: paymentId, limit: 100 })) {
    const ours = made.metadata?.[STRIPE_REFUND];
    const isOurs = ours !== undefined && (ours === key || (id !== null && idInKey(ours) === id));
    if (!isOurs) continue;
    const outcome = outcomeOfRefund(made);
    if (outcome.status === 'completed' || outcome.status === 'pending')
      return { ...outcome, ...otherAttempt(ours, key) };
    if (ours === key) known = outcome;
  }
  return known;
}

/** Every payment that we open carries its attempt's id, from the first moment on. */
async function isForeign(stripe: StripeClient, paymentId: string): Promise<boolean> {
  const payment = await stripe.paymentIntents.retrieve(paymentId, undefined, LOOK_UP);
  return !OfAttempt.safeParse(payment).success;
}
