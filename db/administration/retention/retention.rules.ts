import { cartsKeptSince } from '../../../workflows/commerce/cart/cart.rules';
import type { Policy } from '../../policy/config';

export type RetentionPolicy = Pick<
  Policy,
  'cartDays' | 'webhookBodyDays' | 'outboxDays' | 'sandboxDays' | 'referralDays'
>;

/**
 * What is kept for a time only. Chosen to be kept for good: ledger, orders, the audit trail, stock movements (stock is
 * their sum) and domain events (commissions are counted from them).
 */
export type RetentionKind =
  | 'idempotencyKeys'
  | 'sessions'
  | 'signInCodes'
  | 'carts'
  | 'catalogueChanges'
  | 'accountRequests'
  | 'touches'
  | 'outboxMessages'
  | 'webhookBodies'
  | 'sandboxRows';

/** Rows of one table that are over their time: those whose `over` holds, of the moment `$1`. */
export interface RetentionRule {
  kind: RetentionKind;
  table: string;
  over: string;
  /** The moment before which rows are over. */
  before: Date;
  /** What of a row is forgotten, as assignments; without it, the row is deleted. */
  forget?: string;
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** How long a session that is over can still be looked up, with its refresh tokens, when misuse is suspected. */
const ENDED_SESSION_DAYS = 30;
/** As long as people may use an Idempotency-Key. */
const IDEMPOTENCY_KEY_DAYS = 1;

/** Every rule as of `at`, in the order they are carried out in. */
export function retentionRules(at: Date, policy: RetentionPolicy): RetentionRule[] {
  const daysAgo = (days: number): Date => new Date(at.getTime() - days * DAY_MS);
  return [
    {
      kind: 'idempotencyKeys',
      table: 'idempotency_keys',
      over: 'created_at < $1',
      before: daysAgo(IDEMPOTENCY_KEY_DAYS),
    },
    {
      kind: 'sessions',
      table: 'sessions',
      over: 'least(coalesce(revoked_at, expires_at), expires_at) < $1',
      before: daysAgo(ENDED_SESSION_DAYS),
    },
    ...signInRules(daysAgo(1)),
    {
      kind: 'signInCodes',
      table: 'mailed_tokens',
      over: 'undo_sealed IS NOT NULL AND expires_at < $1',
      before: at,
      forget: 'undo_sealed = NULL',
    },
    { kind: 'carts', table: 'carts', over: 'updated_at <= $1', before: cartsKeptSince(at, policy.cartDays) },
    {
      // Everyone reads them within seconds; a reader that could not for minutes starts anew.
      kind: 'catalogueChanges',
      table: 'catalogue_changes',
      over: 'changed_at < $1',
      before: new Date(at.getTime() - 60 * MINUTE_MS),
    },
    {
      // That somebody came by a referral, and by which, stays counted.
      kind: 'touches',
      table: 'referral_touches',
      over: 'last_touch_at < $1 AND num_nonnulls(ip_address, user_agent) > 0',
      before: daysAgo(policy.referralDays),
      forget: 'ip_address = NULL, user_agent = NULL',
    },
    {
      kind: 'outboxMessages',
      table: 'outbox_messages',
      over: `status <> 'WAITING' AND created_at < $1`,
      before: daysAgo(policy.outboxDays),
    },
    {
      // The hash stays, by which a repeat is known; so do type and ids.
      kind: 'webhookBodies',
      table: 'webhook_events',
      over: `body IS NOT NULL AND status IN ('PROCESSED', 'IGNORED') AND coalesce(processed_at, received_at) < $1`,
      before: daysAgo(policy.webhookBodyDays),
      forget: 'body = NULL',
    },
    ...sandboxRules(daysAgo(policy.sandboxDays)),
  ];
}

/** A day is long enough to hold people to the hourly limits, and to see what happened. */
const signInRules = (before: Date): RetentionRule[] => [
  { kind: 'signInCodes', table: 'sent_codes', over: 'expires_at < $1', before },
  { kind: 'signInCodes', table: 'login_challenges', over: 'expires_at < $1', before },
  { kind: 'signInCodes', table: 'second_factors', over: 'enabled_at IS NULL AND created_at < $1', before },
  { kind: 'accountRequests', table: 'pending_registrations', over: 'created_at < $1', before },
  { kind: 'accountRequests', table: 'password_reset_requests', over: 'created_at < $1', before },
];

/**
 * Only what is settled: reports that were taken, of payments of which no refund is under way; then the payments that no
 * report speaks of any more; then the refunds of payments that are gone.
 */
const sandboxRules = (before: Date): RetentionRule[] => [
  {
    kind: 'sandboxRows',
    table: 'sandbox_events',
    over: `delivered_at IS NOT NULL AND created_at < $1 AND EXISTS (
      SELECT 1 FROM sandbox_payments p WHERE p.id = payment_id AND p.created_at < $1 AND ${isSettled('p')})`,
    before,
  },
  {
    kind: 'sandboxRows',
    table: 'sandbox_payments',
    over: `created_at < $1 AND ${isSettled('sandbox_payments')}
      AND NOT EXISTS (SELECT 1 FROM sandbox_events e WHERE e.payment_id = sandbox_payments.id)`,
    before,
  },
  {
    kind: 'sandboxRows',
    table: 'sandbox_refunds',
    over: `created_at < $1
      AND NOT EXISTS (SELECT 1 FROM sandbox_payments p WHERE p.id::text = sandbox_refunds.payment_id)
      AND NOT EXISTS (SELECT 1 FROM payment_refunds r WHERE r.id::text = sandbox_refunds.key
        AND r.status IN ('PROCESSING', 'ABANDONED'))`,
    before,
  },
];

/** Whether nothing of a payment is under way: its attempt is decided and no refund of it is being sent. */
const isSettled = (payment: string): string => `NOT EXISTS (
    SELECT 1 FROM payment_attempts a WHERE a.id = ${payment}.payment_key AND a.status = 'PENDING')
  AND NOT EXISTS (
    SELECT 1 FROM payment_captures c JOIN payment_refunds r ON r.capture_id = c.id
    WHERE c.provider = 'sandbox' AND c.provider_payment_id = ${payment}.id::text
      AND r.status IN ('PROCESSING', 'ABANDONED'))`;
