import { cartsKeptSince } from '../../../workflows/commerce/cart/cart.rules';
import type { Policy } from '../../policy/config';

export type RetentionPolicy = Pick<
  Policy,
  'cartDays' | 'requestNoteDays' | 'webhookBodyDays' | 'outboxDays' | 'sandboxDays' | 'referralDays'
>;

/**
 * Data with a limited retention. Chosen: ledger, orders, the audit trail, stock movements (stock is their sum) and domain
 * events (commissions are computed from them) are kept for good.
 */
export type RetentionKind =
  | 'idempotencyKeys'
  | 'sessions'
  | 'signInCodes'
  | 'carts'
  | 'catalogueChanges'
  /** Registrations and password resets that were never completed. */
  | 'accountRequests'
  | 'touches'
  | 'requestNotes'
  | 'outboxMessages'
  | 'webhookBodies'
  | 'sandboxRows';

/** The expired rows of one table. */
export interface RetentionRule {
  kind: RetentionKind;
  table: string;
  /** The condition of an expired row, with `before` as `$1`. */
  expired: string;
  before: Date;
  /** Assignments that delete the expired part of a row; without them, the row is deleted. */
  forget?: string;
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Retention of ended sessions with their refresh tokens, for investigations of misuse. */
const ENDED_SESSION_DAYS = 30;
/** The lifetime of an Idempotency-Key. */
const IDEMPOTENCY_KEY_DAYS = 1;

/** All rules as of `at`, in the order in which they are carried out. */
export function retentionRules(at: Date, policy: RetentionPolicy): RetentionRule[] {
  const daysAgo = (days: number): Date => new Date(at.getTime() - days * DAY_MS);
  return [
    {
      kind: 'idempotencyKeys',
      table: 'idempotency_keys',
      expired: 'created_at < $1',
      before: daysAgo(IDEMPOTENCY_KEY_DAYS),
    },
    {
      kind: 'sessions',
      table: 'sessions',
      expired: 'least(coalesce(revoked_at, expires_at), expires_at) < $1',
      before: daysAgo(ENDED_SESSION_DAYS),
    },
    ...signInRules(daysAgo(1)),
    {
      kind: 'signInCodes',
      table: 'mailed_tokens',
      expired: 'undo_sealed IS NOT NULL AND expires_at < $1',
      before: at,
      forget: 'undo_sealed = NULL',
    },
    {
      kind: 'carts',
      table: 'carts',
      expired: 'updated_at <= $1',
      before: cartsKeptSince(at, policy.cartDays),
    },
    {
      // API processes read them within seconds; one that could not for minutes reloads everything.
      kind: 'catalogueChanges',
      table: 'catalogue_changes',
      expired: 'changed_at < $1',
      before: new Date(at.getTime() - 60 * MINUTE_MS),
    },
    {
      // The referral and its time stay.
      kind: 'touches',
      table: 'referral_touches',
      expired: 'last_touch_at < $1 AND num_nonnulls(ip_address, user_agent) > 0',
      before: daysAgo(policy.referralDays),
      forget: 'ip_address = NULL, user_agent = NULL',
    },
    requestNoteRule(daysAgo(policy.requestNoteDays)),
    {
      kind: 'outboxMessages',
      table: 'outbox_messages',
      expired: `status <> 'WAITING' AND created_at < $1`,
      before: daysAgo(policy.outboxDays),
    },
    {
      // The hash, which identifies repetitions, stays, and so do type and ids.
      kind: 'webhookBodies',
      table: 'webhook_events',
      expired: `body IS NOT NULL AND status IN ('PROCESSED', 'IGNORED') AND coalesce(processed_at, received_at) < $1`,
      before: daysAgo(policy.webhookBodyDays),
      forget: 'body = NULL',
    },
    ...sandboxRules(daysAgo(policy.sandboxDays)),
  ];
}

/**
 * A process reads a note while it carries the request out, within the hour, and copies what is kept of it. Only a parked
 * bank transfer reads its note later; if it is tried again in vain just when old notes are deleted, it can be abandoned
 * and entered again.
 */
const requestNoteRule = (before: Date): RetentionRule => ({
  kind: 'requestNotes',
  table: 'request_notes',
  expired: `created_at < $1 AND NOT EXISTS (SELECT 1 FROM parked_processes WHERE type = 'bankTransfer')`,
  before,
});

/** Rows of sign-ins, kept for a day: longer than the hourly limits that count them. */
const signInRules = (before: Date): RetentionRule[] => [
  { kind: 'signInCodes', table: 'sent_codes', expired: 'expires_at < $1', before },
  { kind: 'signInCodes', table: 'login_challenges', expired: 'expires_at < $1', before },
  { kind: 'signInCodes', table: 'second_factors', expired: 'enabled_at IS NULL AND created_at < $1', before },
  { kind: 'accountRequests', table: 'pending_registrations', expired: 'created_at < $1', before },
  { kind: 'accountRequests', table: 'password_reset_requests', expired: 'created_at < $1', before },
];

/**
 * Settled rows only: delivered reports of payments without a running refund; then payments without reports; then refunds
 * of deleted payments.
 */
const sandboxRules = (before: Date): RetentionRule[] => [
  {
    kind: 'sandboxRows',
    table: 'sandbox_events',
    expired: `delivered_at IS NOT NULL AND created_at < $1 AND EXISTS (
      SELECT 1 FROM sandbox_payments p WHERE p.id = payment_id AND p.created_at < $1 AND ${isSettled('p')})`,
    before,
  },
  {
    kind: 'sandboxRows',
    table: 'sandbox_payments',
    expired: `created_at < $1 AND ${isSettled('sandbox_payments')}
      AND NOT EXISTS (SELECT 1 FROM sandbox_events e WHERE e.payment_id = sandbox_payments.id)`,
    before,
  },
  {
    kind: 'sandboxRows',
    table: 'sandbox_refunds',
    expired: `created_at < $1
      AND NOT EXISTS (SELECT 1 FROM sandbox_payments p WHERE p.id::text = sandbox_refunds.payment_id)
      AND NOT EXISTS (SELECT 1 FROM payment_refunds r WHERE r.id::text = sandbox_refunds.key
        AND r.status IN ('PROCESSING', 'ABANDONED'))`,
    before,
  },
];

/** SQL that is true for a payment whose attempt is decided and that has no running refund. */
const isSettled = (payment: string): string => `NOT EXISTS (
    SELECT 1 FROM payment_attempts a WHERE a.id = ${payment}.payment_key AND a.status = 'PENDING')
  AND NOT EXISTS (
    SELECT 1 FROM payment_captures c JOIN payment_refunds r ON r.capture_id = c.id
    WHERE c.provider = 'sandbox' AND c.provider_payment_id = ${payment}.id::text
      AND r.status IN ('PROCESSING', 'ABANDONED'))`;
