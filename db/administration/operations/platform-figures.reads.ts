import { RESENDABLE } from '../outbox/dead-message.reads';
import { firstRow, rows, type Db, type Tx } from '../../sql/query';
import { AnalyticsChange } from '../analytics/analytics-change.model';
import { LedgerDrift } from '../../ledger/reconciliation/ledger-drift.model';
import { table } from '../../sql/table';
import { readFigures, secondsSince } from '../figures/read-figures';
import { heldCommissions, type HeldCommissions } from '../../partners/commission/held-commissions.reads';
import { eventFigures, type EventFigures } from '../domain-event/event-figures.reads';
import {
  reconciliationFigures,
  type ReconciliationFigures,
} from '../../commerce/reconciliation/payouts-stopped.reads';
import { transferFigures, type TransferFigures } from '../../commerce/payout/transfer-figures.reads';
import { owedRefunds, type OwedRefunds } from '../../commerce/refund/owed-refunds.reads';
import { poolFigures, type PoolFigures } from '../../partners/pool/pool-figures.reads';
import { investmentFigures, type InvestmentFigures } from './investment-figures.reads';
import { latestInvariantRun } from './invariant-run.reads';
import { kycFigures, type KycFigures } from './kyc-figures.reads';
import { reportFigures, type ReportFigures } from './report-figures.reads';

/** Counts and ages of everything that waits or is broken. Ages in seconds; 0 where nothing waits. */
export interface PlatformFigures {
  /** `dead`: those that can be sent again. */
  outbox: { waiting: number; dead: number; deadLastHour: number; oldestDueSeconds: number };
  /** Processes that wait for a person, by type. */
  parked: { type: string; processes: number; oldestSeconds: number }[];
  /** Unfinished webhook events, by status. */
  webhooks: { status: string; events: number }[];
  oldestUnstartedWebhookSeconds: number;
  /** Reports that wait for what they are about, and those that nobody has judged yet, of each area. */
  reports: ReportFigures[];
  /** Refunds of payments that paid no order, created within the last day, by reason. */
  strayRefunds: { reason: string; refunds: number }[];
  ledgerDrifts: { ever: number; lastDay: number };
  kyc: KycFigures;
  investment: InvestmentFigures;
  transfers: TransferFigures;
  owedRefunds: OwedRefunds;
  /** Events that wait for each of their consumers. */
  events: EventFigures[];
  heldCommissions: HeldCommissions[];
  pools: PoolFigures;
  reconciliation: ReconciliationFigures;
  /** Facts that no rollup counts yet. */
  waitingFacts: number;
  /** Requests with an Idempotency-Key that were claimed and neither answered nor repeated. */
  unansweredRequests: number;
  /** The findings of the newest check; null before the first. */
  brokenInvariants: { count: number; checkedSecondsAgo: number } | null;
}

/** Reads all figures on one connection; `payoutSenders` as `transferFigures`. Throws when one of them takes longer than two seconds. */
export function platformFigures(db: Db, payoutSenders: readonly string[] = []): Promise<PlatformFigures> {
  return readFigures(db, async (tx) => ({
    outbox: await outbox(tx),
    parked: await rows<PlatformFigures['parked'][number]>(
      tx,
      `SELECT type, count(*)::int AS processes, ${secondsSince('min(since)')} AS oldest_seconds
           FROM parked_processes WHERE state = 'PARKED' GROUP BY type ORDER BY type`,
    ),
    webhooks: await webhooks(tx),
    oldestUnstartedWebhookSeconds: await one(
      tx,
      `SELECT ${secondsSince('min(received_at)')} AS value
           FROM webhook_events WHERE started_at IS NULL AND status = 'RECEIVED'`,
    ),
    reports: await reportFigures(tx),
    strayRefunds: await strayRefunds(tx),
    ledgerDrifts: {
      ever: await table(tx, LedgerDrift).count({}),
      // The reconciliation is daily and may take an hour; a little more than a day always covers its last run.
      lastDay: await one(
        tx,
        `SELECT count(*)::int AS value FROM ledger_drifts WHERE found_at > now() - interval '25 hours'`,
      ),
    },
    kyc: await kycFigures(tx),
    investment: await investmentFigures(tx),
    transfers: await transferFigures(tx, payoutSenders),
    owedRefunds: await owedRefunds(tx),
    events: await eventFigures(tx),
    heldCommissions: await heldCommissions(tx),
    pools: await poolFigures(tx),
    reconciliation: await reconciliationFigures(tx),
    waitingFacts: await table(tx, AnalyticsChange).count({}),
    unansweredRequests: await one(
      tx,
      `SELECT count(*)::int AS value FROM idempotency_keys
           WHERE state <> 'DONE' AND claimed_at < now() - interval '5 minutes'`,
    ),
    brokenInvariants: await invariants(tx),
  }));
}

async function one(tx: Tx, text: string): Promise<number> {
  return (await firstRow<{ value: number }>(tx, text))?.value ?? 0;
}

async function outbox(tx: Tx): Promise<PlatformFigures['outbox']> {
  return {
    waiting: await one(tx, `SELECT count(*)::int AS value FROM outbox_messages WHERE status = 'WAITING'`),
    dead: await one(tx, `SELECT count(*)::int AS value FROM outbox_messages WHERE ${RESENDABLE}`),
    deadLastHour: await one(
      tx,
      `SELECT count(*)::int AS value FROM outbox_messages
        WHERE ${RESENDABLE} AND dead_at > now() - interval '1 hour'`,
    ),
    oldestDueSeconds: await one(
      tx,
      `SELECT ${secondsSince('min(due_at)')} AS value FROM outbox_messages WHERE status = 'WAITING'`,
    ),
  };
}

/** Events by status, with a row for each status, so that an alert sees the number fall to 0. */
const webhooks = (tx: Tx): Promise<PlatformFigures['webhooks']> =>
  rows(
    tx,
    `SELECT unfinished.status, count(e.id)::int AS events
       FROM unnest(ARRAY['RECEIVED', 'WAITING', 'DEAD']) AS unfinished (status)
       LEFT JOIN webhook_events e ON e.status = unfinished.status AND e.status IN ('RECEIVED', 'WAITING', 'DEAD')
       GROUP BY unfinished.status ORDER BY unfinished.status`,
  );

/** Refunds by reason, with a row for each reason, as with webhooks. */
const strayRefunds = (tx: Tx): Promise<PlatformFigures['strayRefunds']> =>
  rows(
    tx,
    `SELECT stray.reason, count(r.id)::int AS refunds
       FROM unnest(ARRAY['LATE_PAYMENT', 'DUPLICATE_PAYMENT', 'AMOUNT_MISMATCH']) AS stray (reason)
       LEFT JOIN payment_refunds r
         ON r.reason = stray.reason AND r.split_from IS NULL AND r.created_at > now() - interval '1 day'
       GROUP BY stray.reason ORDER BY stray.reason`,
  );

async function invariants(tx: Tx): Promise<PlatformFigures['brokenInvariants']> {
  const run = await latestInvariantRun(tx);
  if (!run) return null;
  return { count: run.broken.length, checkedSecondsAgo: (Date.now() - run.checkedAt.getTime()) / 1_000 };
}
