import { cartsKeptSince } from '../../../workflows/commerce/cart/cart.rules';
import type { Policy } from '../../policy/config';
import { DAY_MS, MINUTE_MS } from '../../../workflows/kit/values/durations.rules';
import { providerMovementRule } from './provider-movement.rules';
import type { RetentionRule } from './retention-rule';
import { sandboxRules } from './sandbox-retention.rules';

export type RetentionPolicy = Pick<
  Policy,
  | 'cartDays'
  | 'requestNoteDays'
  | 'deadMessageDays'
  | 'deadWebhookBodyDays'
  | 'webhookBodyDays'
  | 'outboxDays'
  | 'payoutDetailsDays'
  | 'sandboxDays'
  | 'referralDays'
  | 'reconciliationDays'
>;

/** The reconciliation reads what investment providers reported; it needs the text until then. */
const IS_RECONCILED = `(kind = 'PAYMENT' OR reconciled_at IS NOT NULL)`;

/** Retention of ended sessions with their refresh tokens, for investigations of misuse. */
const ENDED_SESSION_DAYS = 30;
/** Retention of runs of jobs: longer than a backfill of one is of use. */
const JOB_RUN_DAYS = 30;
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
    ...messageRules(daysAgo, policy),
    ...textsAndDetails(daysAgo, policy),
    providerMovementRule(daysAgo(policy.reconciliationDays + 7)),
    ...sandboxRules(daysAgo(policy.sandboxDays)),
    { kind: 'jobRuns', table: 'job_runs', expired: 'updated_at < $1', before: daysAgo(JOB_RUN_DAYS) },
  ];
}

/** Messages that were sent or given up, and the content of those that nobody had sent again meanwhile. */
const messageRules = (daysAgo: (days: number) => Date, policy: RetentionPolicy): RetentionRule[] => [
  {
    kind: 'outboxMessages',
    table: 'outbox_messages',
    expired: `status <> 'WAITING' AND created_at < $1`,
    before: daysAgo(policy.outboxDays),
  },
  {
    kind: 'outboxMessages',
    table: 'outbox_messages',
    expired: `status = 'DEAD' AND sealed_payload IS NOT NULL AND dead_at < $1`,
    before: daysAgo(policy.deadMessageDays),
    forget: `sealed_payload = NULL, content_gone = 'ERASED'`,
  },
];

/** The texts of reports, and the destinations of payouts. */
function textsAndDetails(daysAgo: (days: number) => Date, policy: RetentionPolicy): RetentionRule[] {
  return [
    {
      // The hash, which identifies repetitions, stays, and so do type and ids.
      kind: 'webhookBodies',
      table: 'webhook_events',
      expired: `body IS NOT NULL AND status IN ('PROCESSED', 'IGNORED') AND coalesce(processed_at, received_at) < $1
        AND ${IS_RECONCILED}`,
      before: daysAgo(policy.webhookBodyDays),
      forget: 'body = NULL',
    },
    {
      // A person has had this long to have it applied.
      kind: 'webhookBodies',
      table: 'webhook_events',
      expired: `body IS NOT NULL AND status = 'DEAD' AND coalesce(processed_at, received_at) < $1 AND ${IS_RECONCILED}`,
      before: daysAgo(policy.deadWebhookBodyDays),
      forget: 'body = NULL',
    },
    {
      kind: 'webhookBodies',
      table: 'webhook_events',
      expired: `body IS NOT NULL AND status = 'DISCARDED' AND processed_at < $1`,
      before: daysAgo(policy.webhookBodyDays),
      forget: 'body = NULL',
    },
    {
      kind: 'webhookBodies',
      table: 'webhook_events',
      expired: `body IS NOT NULL AND status IN ('PROCESSED', 'IGNORED', 'DEAD', 'DISCARDED') AND received_at < $1
        AND is_about_erased AND ${IS_RECONCILED}`,
      before: daysAgo(0),
      forget: 'body = NULL',
    },
    ...['investment_withdrawals', 'payouts'].map((table): RetentionRule => ({
      // The masked form stays.
      kind: 'payoutDetails',
      table,
      expired: 'details IS NOT NULL AND ended_at < $1',
      before: daysAgo(policy.payoutDetailsDays),
      forget: 'details = NULL',
    })),
    {
      // The bank's copy names whom it paid.
      kind: 'payoutDetails',
      table: 'bank_file_transfers',
      expired: 'destination IS NOT NULL AND ended_at < $1',
      before: daysAgo(policy.payoutDetailsDays),
      forget: 'destination = NULL',
    },
    {
      kind: 'payoutDetails',
      table: 'bank_files',
      expired: `content IS NOT NULL AND made_at < $1 AND NOT EXISTS (SELECT 1 FROM bank_file_transfers t
        WHERE t.file_id = bank_files.id AND (t.ended_at IS NULL OR t.ended_at >= $1))`,
      before: daysAgo(policy.payoutDetailsDays),
      forget: 'content = NULL',
    },
  ];
}

/**
 * A process reads a note while it carries the request out, within the hour, and copies what stays of it. Only a parked
 * bank transfer reads its note later, which is kept under the id of its capture as the process is; if it is tried again in vain just when old
 * notes are deleted, it can be abandoned and entered again.
 */
const requestNoteRule = (before: Date): RetentionRule => ({
  kind: 'requestNotes',
  table: 'request_notes',
  expired: `created_at < $1 AND NOT EXISTS (SELECT 1 FROM parked_processes p
    WHERE p.type = 'bankTransfer' AND p.entity_id = request_notes.entity_id::text)`,
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
