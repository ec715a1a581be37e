import { PROVIDER_CALL_MS } from '../../../../workflows/kit/limits/provider-times';
import type { RefundOutcome } from '../port';
import { UNFINISHED } from './message';

export interface StripeSettings {
  secretKey: string;
  /** The address of Stripe's API, without a slash at the end; Stripe's own unless set. */
  apiBase?: string | undefined;
  /** The addresses that Stripe's page leads to, paid or cancelled. */
  successUrl: string;
  cancelUrl: string;
}

/**
 * Stripe's library, set up. It is loaded when first used, because it is large and most installations use another provider.
 * It retries nothing by itself: the process that made a call decides whether it is made again.
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

/** Types of the errors by which Stripe refuses a request that it understood. */
const REFUSALS: readonly string[] = ['StripeCardError', 'StripeInvalidRequestError'];
/** The status of a request that conflicts with another one, mostly one with the same key that is under way. */
const CONFLICT = 409;

/**
 * The reason of a refusal by Stripe; null for every other error: no answer, a failure on Stripe's side, too many requests,
 * a key that Stripe does not accept. After those the outcome is unknown, or the call may succeed later. A conflict, and an
 * idempotency key that another request has used, are unknown as well: that other request may have moved the money.
 */
export function refusalOfStripe(error: unknown): string | null {
  if (!(error instanceof Error) || !('type' in error)) return null;
  if ('statusCode' in error && error.statusCode === CONFLICT) return null;
  return typeof error.type === 'string' && REFUSALS.includes(error.type) ? error.message : null;
}

/** The outcome of a refund at Stripe. Throws for a status that we do not know. */
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
  if (UNFINISHED.includes(status)) return { status: 'pending', refundId: id };
  throw new Error(`Stripe has not finished refund ${id}: it is ${status ?? 'without a status'}.`);
}
