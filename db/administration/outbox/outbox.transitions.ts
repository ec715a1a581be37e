import type { Attributes } from 'sequelize';
import { keysOf } from '../../sealing/keys-of';
import { sealPurposes } from '../../sealing/purposes';
import { execute, rows, type Db } from '../../sql/query';
import type { OutboxMessage } from './outbox-message.model';
import { type OutboxMail, type OutboxSms } from './outbox.writes';

/**
 * A message that only the caller sends until its claim expires; `attempts` is this try's number, from 1. One that was withdrawn is
 * to be given up instead.
 */
export type ClaimedMessage = Pick<
  Attributes<OutboxMessage>,
  'id' | 'kind' | 'attempts' | 'recipient' | 'withdrawnAt'
> & { sealedPayload: Buffer };

/** A message with its content. */
export type OpenedMessage = Pick<ClaimedMessage, 'id' | 'recipient'> &
  (
    | { kind: 'MAIL'; content: Omit<OutboxMail, 'reference' | 'to'> }
    | { kind: 'SMS'; content: Omit<OutboxSms, 'reference' | 'to'> }
  );

/** Opens a message's content. Throws Unsealable when its key is not on the ring. */
export function openMessage(db: Db, message: ClaimedMessage): OpenedMessage {
  const { id, recipient, kind, sealedPayload } = message;
  const content: unknown = JSON.parse(
    keysOf(db).open(sealedPayload, sealPurposes.outboxMessage(id)).toString(),
  );
  return { id, recipient, kind, content } as OpenedMessage;
}

/**
 * Claims messages that are due, oldest first, and counts the try. A claim is a due time moved forward: no lock is held
 * while the message is sent, and the claims of a dead sender become due again by themselves.
 */
export async function claimDue(db: Db, limit: number, claimMs: number): Promise<ClaimedMessage[]> {
  return rows<ClaimedMessage>(
    db,
    `UPDATE outbox_messages SET attempts = attempts + 1, due_at = now() + $2 * interval '1 millisecond'
       WHERE id IN (
         SELECT id FROM outbox_messages WHERE status = 'WAITING' AND due_at <= now()
           ORDER BY due_at, id LIMIT $1 FOR UPDATE SKIP LOCKED)
       RETURNING id, kind, attempts, recipient, sealed_payload, withdrawn_at`,
    [limit, claimMs],
  );
}

/** Marks a message sent and deletes its content, which may hold a secret that is still valid. */
export async function markSent(db: Db, id: string): Promise<void> {
  await execute(
    db,
    `UPDATE outbox_messages SET status = 'SENT', sent_at = now(), last_error = NULL,
       sealed_payload = NULL
       WHERE id = $1 AND status = 'WAITING'`,
    [id],
  );
}

/** Schedules the next try after a failure, unless a newer try is already running. */
export async function postpone(
  db: Db,
  { id, attempts }: ClaimedMessage,
  waitMs: number,
  error: string,
): Promise<void> {
  await execute(
    db,
    `UPDATE outbox_messages SET due_at = now() + $3 * interval '1 millisecond', last_error = $4
       WHERE id = $1 AND attempts = $2 AND status = 'WAITING'`,
    [id, attempts, waitMs, error],
  );
}

/**
 * Gives a message up, unless a newer try is already running. Its content stays, so that an administrator can have it sent
 * again. It is deleted of one that was withdrawn, and of one with a single-use secret, whose recipient has to ask for a new one
 * anyway. Null leaves the error of the last try.
 */
export async function markDead(
  db: Db,
  { id, attempts }: ClaimedMessage,
  error: string | null,
  { holdsSecret }: { holdsSecret: boolean },
): Promise<void> {
  await execute(
    db,
    `UPDATE outbox_messages SET status = 'DEAD', last_error = coalesce($3, last_error), dead_at = now(),
       content_gone = ${GONE},
       sealed_payload = CASE WHEN ${GONE} IS NULL THEN sealed_payload END
     WHERE id = $1 AND attempts = $2 AND status = 'WAITING'`,
    [id, attempts, error, holdsSecret],
  );
}

/** Why the content of a message goes when it is given up; null: it stays. */
const GONE = `CASE WHEN withdrawn_at IS NOT NULL THEN 'WITHDRAWN' WHEN $4::boolean THEN 'EXPIRED' END`;
