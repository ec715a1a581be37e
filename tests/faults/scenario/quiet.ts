import { setTimeout as pause } from 'node:timers/promises';
import { execute, firstRow, rows } from '../../../db/sql/query';
import type { Stack } from '../platform/stack';

/**
 * Long enough for the slowest recovery: a worker with a dead connection to Temporal, and then a backoff; or a pool that met
 * another of its kind, which looks again after five minutes.
 */
const QUIET_WITHIN_MS = 480_000;
const ASK_EVERY_MS = 250;
/** The sweep runs every minute by itself; starting it saves that wait. */
const SWEEP_EVERY_MS = 4_000;

const parked = (id: string): string =>
  `NOT EXISTS (SELECT 1 FROM parked_processes WHERE workflow_id = ${id})`;

/** Background work that has not ended. A claim whose holder died ends after ten seconds. */
const OUTSTANDING = `
  SELECT 'request ' || key || ' is under way' AS what FROM idempotency_keys
    WHERE state = 'CLAIMED' AND claimed_at > now() - interval '10 seconds'
  UNION ALL SELECT 'the sandbox owes us its event ' || id FROM sandbox_events WHERE delivered_at IS NULL
  UNION ALL SELECT format('event %s is %s%s', external_event_id, status, CASE WHEN started_at IS NULL THEN ', not started' END)
    FROM webhook_events WHERE status = 'RECEIVED' AND ${parked(`concat_ws(':', 'webhook', provider, external_event_id)`)}
  UNION ALL SELECT 'refund ' || id || ' is under way' FROM payment_refunds
    WHERE status = 'PROCESSING' AND ${parked(`'payment-refund:' || id`)}
  UNION ALL SELECT 'refund request ' || r.id || ' is under way' FROM refund_requests r
    WHERE r.status IN ('APPROVED', 'PROCESSING')
      AND NOT EXISTS (SELECT 1 FROM parked_processes p JOIN payment_refunds f ON p.workflow_id = 'payment-refund:' || f.id
        WHERE f.refund_request_id = r.id)
  UNION ALL SELECT 'withdrawal ' || id || ' is under way' FROM investment_withdrawals WHERE status = 'PROCESSING'
  UNION ALL SELECT 'payout ' || id || ' is under way' FROM payouts WHERE status = 'PROCESSING'
  UNION ALL SELECT 'order ' || number || ' is only PAID' FROM orders WHERE status = 'PAID'
  UNION ALL SELECT 'the pool ' || period || ' is being paid' FROM pool_runs WHERE status = 'PAYING'
  UNION ALL SELECT 'event ' || reference || ' is not counted' FROM domain_events JOIN event_deliveries USING (position)
    WHERE state <> 'DEAD'
  UNION ALL SELECT 'mail ' || reference || ' is not sent' FROM outbox_messages WHERE status = 'WAITING'`;

/** Ends the claims of requests whose API died; by itself that takes half a minute. */
export async function ageClaims(stack: Stack, heldBefore: Date): Promise<void> {
  await execute(
    stack.db,
    `UPDATE idempotency_keys SET claimed_at = claimed_at - interval '31 seconds'
      WHERE state = 'CLAIMED' AND claimed_at < $1 AND claimed_at > now() - interval '30 seconds'`,
    [heldBefore],
  );
}

/** Waits until all background work has ended. Answers a line for each that did not. */
export async function waitForQuiet(stack: Stack, withinMs = QUIET_WITHIN_MS): Promise<string[]> {
  const deadline = Date.now() + withinMs;
  let sweepAt = Date.now() + SWEEP_EVERY_MS;
  for (;;) {
    const outstanding = await rows<{ what: string }>(stack.db, OUTSTANDING);
    if (outstanding.length === 0 && (await runningShort(stack)) === 0) return [];
    if (Date.now() > deadline)
      return [
        `not quiet: ${outstanding.length} rows and ${await runningShort(stack)} short processes are under way`,
        ...outstanding.slice(0, 10).map(({ what }) => `not quiet: ${what}`),
      ];
    if (Date.now() > sweepAt) {
      for (const sweep of ['webhook-sweep', 'partner-sweep'])
        await stack.temporal.schedule.getHandle(sweep).trigger();
      sweepAt = Date.now() + SWEEP_EVERY_MS;
    }
    await pause(ASK_EVERY_MS);
  }
}

/** The types of processes that end by themselves within a scenario. */
const SHORT = [...['paymentEvent', 'paymentRefund', 'sandboxWebhook'], ...['eventFailure', 'job', 'pool']];

/** The number of running processes that end by themselves, without those that wait for a person or a message. */
async function runningShort({ temporal, db }: Stack): Promise<number> {
  const { count } = await temporal.workflow.count(
    `ExecutionStatus = 'Running' AND WorkflowType IN (${SHORT.map((type) => `'${type}'`).join(', ')})`,
  );
  const waiting = await firstRow<{ count: number }>(
    db,
    `SELECT (SELECT count(*) FROM parked_processes WHERE type = ANY ($1::text[]))
        + (SELECT count(*) FROM webhook_events WHERE status = 'WAITING') AS count`,
    [SHORT],
  );
  return count - (waiting?.count ?? 0);
}
