import { PROVIDER_CALL_MS } from '../../../../workflows/kit/provider-times';
import type { RefundOutcome } from '../port';

export interface StripeSettings {
  secretKey: string;
  /** Where Stripe's API is, without a slash at the end; Stripe's own unless set. */
  apiBase?: string | undefined;
  /** Where browsers go from Stripe's page when it is paid, and when the buyer turns back. */
  successUrl: string;
  cancelUrl: string;
}

/**
 * Stripe's library, set up. It is loaded when it is first needed, for it is large and most installations take payments
 * otherwise. It repeats nothing by itself: whether a call is made again is decided by the process that made it.
 */
export async function connectStripe({ secretKey, apiBase }: Pick<StripeSettings, 'secretKey' | 'apiBase'>) {
  const { default: Stripe } = await import('stripe');
  return new Stripe(secretKey, {
    timeout: PROVIDER_CALL_MS,
    maxNetworkRetries: 0,
    telemetry: false,
    ...(apiBase !== undefined && addressOf(new URL(apiBase))),
  });
}

export type StripeClient = Awaited<ReturnType<typeof connectStripe>>;

function addressOf({ protocol, hostname: host, port }: URL) {
  const plain = protocol === 'http:';
  return { host, port: port || (plain ? 80 : 443), protocol: plain ? ('http' as const) : ('https' as const) };
}

/** What Stripe's library throws when Stripe understood a request and will not carry it out. */
const REFUSALS: readonly string[] = [
  'StripeCardError',
  'StripeInvalidRequestError',
  'StripeIdempotencyError',
];

/**
 * Why Stripe refused, for an error that says so; null for every other: no answer, a failure on Stripe's side, too many
 * requests, a key that Stripe does not take. After those nobody knows what was done, or it may be done later.
 */
export function refusalOfStripe(error: unknown): string | null {
  if (!(error instanceof Error) || !('type' in error)) return null;
  return typeof error.type === 'string' && REFUSALS.includes(error.type) ? error.message : null;
}

/** Stripe's word on a refund. One that it has not finished is thrown: its outcome is not known yet. */
export function outcomeOfRefund(refund: {
  id: string;
  amount: number;
  status: string | null;
  failure_reason?: string;
}): RefundOutcome {
  const { id, amount: amountMinor, status, failure_reason: why } = refund;
  if (status === 'succeeded') return { status: 'completed', refundId: id, amountMinor };
  if (status === 'failed' || status === 'canceled')
    return { status: 'refused', reason: `${id} is ${status}: ${why ?? 'no reason given'}` };
  throw new Error(`Stripe has not finished refund ${id}: it is ${status ?? 'without a status'}.`);
}
