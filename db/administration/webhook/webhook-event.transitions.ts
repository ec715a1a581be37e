import type { Attributes } from 'sequelize';
import { execute, firstRow, rows, type Tx } from '../../sql/query';
import { UUID_PATTERN } from '../../../workflows/kit/values/uuid.rules';
import { ANY_REGION } from '../../identity/user/user.reads';
import type { WebhookEvent } from './webhook-event.model';

/** A stored event, locked until the transaction ends. */
export type LockedEvent = Pick<
  Attributes<WebhookEvent>,
  'kind' | 'provider' | 'type' | 'body' | 'status' | 'lastError' | 'receivedAt' | 'confirmedAt'
>;

/** Locks an event; a process was started for it, so a missing one is our own mistake. */
export async function lockEvent(tx: Tx, id: string): Promise<LockedEvent> {
  const event = await firstRow<LockedEvent>(
    tx,
    `SELECT kind, provider, type, body, status, last_error, received_at, confirmed_at FROM webhook_events WHERE id = $1 FOR UPDATE`,
    [id],
  );
  if (!event) throw new Error(`There is no webhook event ${id}.`);
  return event;
}

/** Records the result of this try to apply a locked event; `waitsFor`: the provider's id of what it needs. */
export async function markEvent(
  tx: Tx,
  id: string,
  mark: Pick<Attributes<WebhookEvent>, 'lastError'> & {
    status: 'PROCESSED' | 'IGNORED' | 'WAITING';
    at: string;
    waitsFor?: string | null;
    /** The user and the order whose payment a report is about; those of an investment are found here. */
    about?: { userId: string; orderId: string | null };
  },
): Promise<void> {
  await execute(
    tx,
    `UPDATE webhook_events e SET status = $2, last_error = $3, attempts = attempts + 1,
       waits_for = $5, started_at = coalesce(started_at, $4),
       processed_at = CASE WHEN $2 IN ('PROCESSED', 'IGNORED') THEN $4::timestamptz END,
       user_id = coalesce($6, ${CONCERNED}), order_id = coalesce($7, e.order_id)
     WHERE id = $1`,
    [
      ...[id, mark.status, mark.lastError, mark.at, mark.waitsFor ?? null],
      ...[mark.about?.userId ?? null, mark.about?.orderId ?? null],
    ],
  );
}

/**
 * Marks a report as one that cannot be applied. Does nothing where it was applied meanwhile, or a person has discarded it.
 * `waitedInVain`: it is revived when what it waits for comes after all. What one says of a person's identity is deleted with
 * it, and the text of one about an erased user as soon as it may be.
 */
export async function markEventDead(
  tx: Tx,
  id: string,
  { reason, at, waitedInVain }: { reason: string; at: string; waitedInVain: boolean },
): Promise<void> {
  await execute(
    tx,
    `UPDATE webhook_events e SET status = 'DEAD', last_error = $2, attempts = attempts + 1,
       waits_for = CASE WHEN $4 THEN waits_for END, started_at = coalesce(started_at, $3), processed_at = $3, confirmed_at = NULL,
       user_id = ${CONCERNED},
       body = CASE WHEN ${SAYS_IDENTITY} THEN NULL ELSE body END,
       reconciled_at = CASE WHEN ${SAYS_IDENTITY} THEN coalesce(reconciled_at, $3) ELSE reconciled_at END,
       is_about_erased = is_about_erased OR EXISTS (
         SELECT 1 FROM users u WHERE u.erased_at IS NOT NULL AND u.id IN (${REPORTED_USER}, ${CONCERNED}))
     WHERE id = $1 AND status NOT IN ('PROCESSED', 'DISCARDED')`,
    [id, reason, at, waitedInVain],
  );
}

/** The user whom an investment provider's report names by id; null for anything else. */
const REPORTED_USER = `(CASE WHEN e.kind = 'INVESTMENT'
  AND reported_field(e.body, 'userId') ~ '^${UUID_PATTERN}$'
  THEN reported_field(e.body, 'userId')::uuid END)`;

/**
 * The user whom a report of an investment concerns, also where it is not applied: the owner of the investment that it is about, or
 * else the one account that it names, by the email address that this has now. Else, and of any other report, as known before.
 */
const CONCERNED = `(CASE WHEN e.kind = 'INVESTMENT' THEN coalesce(
    (SELECT p.user_id FROM participations p WHERE p.provider_code = e.provider AND p.external_id = e.subject),
    e.user_id,
    (SELECT u.id FROM users u WHERE u.id = ${REPORTED_USER}),
    (SELECT CASE WHEN count(*) = 1 THEN min(u.id::text)::uuid END FROM users u
      WHERE u.region IN (${ANY_REGION}) AND u.email = reported_field(e.body, 'email') AND u.erased_at IS NULL))
  ELSE e.user_id END)`;

const SAYS_IDENTITY = `kind = 'INVESTMENT' AND type = 'kyc.synced'`;

/**
 * Makes the oldest reports that waited for an investment until they were DEAD wait again, without a process; returns their
 * ids. One that a person decides on meanwhile stays as that person left it.
 */
export async function reviveWaitedFor(
  tx: Tx,
  provider: string,
  externalId: string,
  limit: number,
): Promise<string[]> {
  const revived = await rows<{ id: string }>(
    tx,
    `UPDATE webhook_events SET status = 'WAITING', started_at = NULL, processed_at = NULL
     WHERE id IN (
       SELECT id FROM webhook_events
        WHERE provider = $1 AND waits_for = $2 AND kind = 'INVESTMENT' AND status = 'DEAD' AND body IS NOT NULL
        ORDER BY received_at, id LIMIT $3 FOR UPDATE)
     RETURNING id`,
    [provider, externalId, limit],
  );
  return revived.map(({ id }) => id);
}

/** Has the sweep start processes of those of the reports that wait. */
export async function markUnstarted(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await execute(
    tx,
    `UPDATE webhook_events SET started_at = NULL WHERE id = ANY ($1::uuid[]) AND status = 'WAITING'`,
    [ids],
  );
}

/** The oldest reports of a provider that wait for what it calls `externalId`. */
export const eventsWaitingFor = (
  tx: Tx,
  provider: string,
  externalId: string,
  limit: number,
): Promise<{ webhookEventId: string; provider: string; externalEventId: string; replays: number }[]> =>
  rows(
    tx,
    `SELECT id AS webhook_event_id, provider, external_event_id, replays FROM webhook_events
     WHERE provider = $1 AND waits_for = $2 AND kind = 'INVESTMENT' AND status = 'WAITING' ORDER BY received_at, id LIMIT $3`,
    [provider, externalId, limit],
  );

/** Tells whether at least so many reports of an investment provider wait. */
export const hasWaiting = async (tx: Tx, provider: string, count: number): Promise<boolean> =>
  (await firstRow(
    tx,
    `SELECT 1 FROM webhook_events WHERE kind = 'INVESTMENT' AND status = 'WAITING' AND provider = $1 OFFSET $2 LIMIT 1`,
    [provider, count - 1],
  )) !== null;
