import type { Attributes } from 'sequelize';
import { execute, firstRow, rows, type Db, type Tx } from '../../sql/query';
import type { WebhookEvent } from './webhook-event.model';
import type { ReportFacts } from '../../../workflows/commerce/webhook/report-subject.rules';
import type { WebhookKind } from './webhook-event.reads';

/** A provider's report as it came; `bodyHash`: SHA-256 of the body's bytes, in hexadecimal. */
export type ReceivedWebhookEvent = Pick<
  Attributes<WebhookEvent>,
  'id' | 'provider' | 'externalEventId' | 'type' | 'bodyHash'
> & {
  /** The area whose provider sent it; by default PAYMENT. */
  kind?: WebhookKind;
  body: string;
  /** True if events of this kind are applied; others are only stored. */
  known: boolean;
  at: Date;
} & Partial<ReportFacts>;

export type StoredWebhookEvent = Pick<Attributes<WebhookEvent>, 'id' | 'bodyHash' | 'replays'> & {
  /** True if it still waits for its process to be started. */
  unstarted: boolean;
  /** False for a repeat of an event that stays as it was stored; the answer then describes the stored one. */
  fresh: boolean;
};

/**
 * Stores an event once. The provider's id decides; the first delivery stays as it is, whatever the repeat says. Only an
 * event that was IGNORED and is of a known kind now is replaced: nothing was done with its first delivery.
 */
export async function storeWebhookEvent(db: Db, event: ReceivedWebhookEvent): Promise<StoredWebhookEvent> {
  const { id, kind = 'PAYMENT', provider, externalEventId, type, body, bodyHash, known, at } = event;
  const { subject = null, movement = null, outcome = null, amountMinor = null } = event;
  // An ignored event counts as started and done, so that the sweep does not find it.
  const fresh = await firstRow<Pick<StoredWebhookEvent, 'id' | 'replays'>>(
    db,
    `INSERT INTO webhook_events
       (id, provider, external_event_id, type, body, body_hash, status, received_at, started_at, processed_at, kind, subject,
        movement, outcome, amount_minor)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9, $10, $11, $12, $13, $14)
     ON CONFLICT ON CONSTRAINT webhook_events_external_key DO UPDATE
       SET type = excluded.type, subject = excluded.subject, movement = excluded.movement, outcome = excluded.outcome,
         amount_minor = excluded.amount_minor, body = excluded.body, body_hash = excluded.body_hash, status = excluded.status,
         received_at = excluded.received_at, started_at = NULL, processed_at = NULL, reconciled_at = NULL
       WHERE webhook_events.status = 'IGNORED' AND excluded.status = 'RECEIVED'
     RETURNING id, replays`,
    [
      id,
      provider,
      externalEventId,
      type,
      body,
      bodyHash,
      known ? 'RECEIVED' : 'IGNORED',
      at,
      known ? null : at,
      kind,
      subject,
      movement,
      outcome,
      amountMinor,
    ],
  );
  if (fresh) return { ...fresh, bodyHash, unstarted: known, fresh: true };

  const first = await firstRow<Omit<StoredWebhookEvent, 'fresh'>>(
    db,
    `SELECT id, replays, body_hash, started_at IS NULL AND status = 'RECEIVED' AS unstarted
       FROM webhook_events
      WHERE provider = $1 AND external_event_id = $2 AND kind = $3`,
    [provider, externalEventId, kind],
  );
  if (!first) throw new Error(`Event ${externalEventId} of ${provider} is neither new nor known.`);
  return { ...first, fresh: false };
}

/** Records that processes of these events were started. Recorded before: the first moment stays. */
export async function markWebhookEventsStarted(db: Db, ids: readonly string[], at: Date): Promise<void> {
  if (ids.length === 0) return;
  await execute(
    db,
    `UPDATE webhook_events SET started_at = $2, start_failures = 0, start_failed_at = NULL
     WHERE id = ANY ($1::uuid[]) AND started_at IS NULL`,
    [ids, at],
  );
}

/**
 * Records that a sweep could not start the processes of these events; `isTheirs`: it could start others, so that the cause is theirs.
 * Returns those that this happened to `most` times.
 */
export async function markStartsFailed(
  tx: Tx,
  ids: readonly string[],
  { at, isTheirs, most }: { at: string; isTheirs: boolean; most: number },
): Promise<string[]> {
  if (ids.length === 0) return [];
  const failed = await rows<{ id: string; startFailures: number }>(
    tx,
    `UPDATE webhook_events SET start_failed_at = $2, start_failures = start_failures + $3
     WHERE id = ANY ($1::uuid[]) AND started_at IS NULL RETURNING id, start_failures`,
    [ids, at, isTheirs ? 1 : 0],
  );
  return failed.filter(({ startFailures }) => startFailures >= most).map(({ id }) => id);
}

/** A report that a person decides on, locked until the transaction ends. */
export type DecidedEvent = Pick<
  Attributes<WebhookEvent>,
  'id' | 'kind' | 'provider' | 'externalEventId' | 'replays' | 'status' | 'lastError'
> & { hasBody: boolean };

export const lockDecided = (tx: Tx, id: string): Promise<DecidedEvent | null> =>
  firstRow(
    tx,
    `SELECT id, kind, provider, external_event_id, replays, status, last_error, body IS NOT NULL AS has_body
     FROM webhook_events WHERE id = $1 FOR UPDATE`,
    [id],
  );

/** Records that a person lets the amounts of a locked report through, whatever they are. */
export async function confirmEvent(tx: Tx, id: string, at: Date): Promise<void> {
  await execute(tx, 'UPDATE webhook_events SET confirmed_at = $2 WHERE id = $1', [id, at]);
}

/** Makes a locked DEAD report one that waits for a new process, which the sweep starts if nobody else does. */
export async function reviveEvent(tx: Tx, id: string): Promise<void> {
  await execute(
    tx,
    `UPDATE webhook_events SET status = 'RECEIVED', replays = replays + 1, waits_for = NULL, started_at = NULL, processed_at = NULL,
       start_failures = 0, start_failed_at = NULL
     WHERE id = $1`,
    [id],
  );
}

/**
 * Marks a locked report as one that is never applied, with the reason. The reconciliation neither reads it nor stores what it
 * has read of it.
 */
export async function discardEvent(tx: Tx, id: string, reason: string, at: Date): Promise<void> {
  await execute(
    tx,
    `UPDATE webhook_events SET status = 'DISCARDED', last_error = $2, waits_for = NULL, processed_at = $3,
       reconciled_at = coalesce(reconciled_at, $3)
     WHERE id = $1`,
    [id, reason, at],
  );
}
