import { randomBytes } from 'node:crypto';
import Stripe from 'stripe';

export const stripeSecrets = ['whsec_stripeCurrent1', 'whsec_stripeComing2'] as const;

/** An event in Stripe's format. */
export const stripeEvent = (type: string, object: object) => ({
  id: `evt_${randomBytes(8).toString('hex')}`,
  object: 'event',
  api_version: '2026-10-28.endive',
  created: Math.floor(Date.now() / 1_000),
  livemode: false,
  type,
  data: { object },
});

/** The signature header that Stripe's own library makes for these bytes. */
export const stripeSignature = (
  payload: string,
  secret: string = stripeSecrets[0],
  at = new Date(),
): string =>
  Stripe.webhooks.generateTestHeaderString({
    payload,
    secret,
    timestamp: Math.floor(at.getTime() / 1_000),
  });

/** A session in an event, paid by default. */
export const sessionObject = (attemptId: string, change: object = {}) => ({
  id: `cs_test_${randomBytes(8).toString('hex')}`,
  object: 'checkout.session',
  client_reference_id: attemptId,
  metadata: { attempt_id: attemptId },
  status: 'complete',
  payment_status: 'paid',
  payment_intent: `pi_${randomBytes(8).toString('hex')}`,
  amount_total: 5_000,
  currency: 'usd',
  ...change,
});

/** A dispute in an event. */
export const disputeObject = (payment: string, change: object = {}) => ({
  id: `du_${randomBytes(8).toString('hex')}`,
  object: 'dispute',
  payment_intent: payment,
  charge: `ch_${randomBytes(8).toString('hex')}`,
  amount: 5_000,
  currency: 'usd',
  status: 'needs_response',
  metadata: {},
  ...change,
});
