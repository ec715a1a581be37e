import { keysOf } from '../../sealing/keys-of';
import { execute, rows, type Db } from '../../sql/query';
import { sealPurpose, type OutboxMail, type OutboxSms } from './outbox.writes';

/** A message that the caller alone sends until its claim runs out. */
export interface ClaimedMessage {
  id: string;
  kind: 'MAIL' | 'SMS';
  /** This try's number, from 1. */
  attempts: number;
  recipient: string;
  payload: object | null;
  sealedPayload: Buffer | null;
}

/** A message with what it says. */
export type OpenedMessage = Pick<ClaimedMessage, 'id' | 'recipient'> &
  (
    | { kind: 'MAIL'; content: Omit<OutboxMail, 'reference' | 'to'> }
    | { kind: 'SMS'; content: Omit<OutboxSms, 'reference' | 'to'> }
  );

/** Opens what a message says. Throws Unsealable when its key is not on the ring. */
export function openMessage(db: Db, message: ClaimedMessage): OpenedMessage {
  const { id, recipient, kind, payload, sealedPayload } = message;
  const content: unknown =
    sealedPayload === null ? payload : JSON.parse(keysOf(db).open(sealedPayload, sealPurpose(id)).toString());
  return { id, recipient, kind, content } as OpenedMessage;
}

/**
 * Takes messages that are due, oldest first, and counts the try. A claim is only a due time moved forward: no lock is
 * held while the message is sent, and what a dead sender had claimed becomes due again by itself.
 */
export async function claimDue(db: Db, limit: number, claimMs: number): Promise<ClaimedMessage[]> {
  return rows<ClaimedMessage>(
    db,
    `UPDATE outbox_messages SET attempts = attempts + 1, due_at = now() + $2 * interval '1 millisecond'
       WHERE id IN (
         SELECT id FROM outbox_messages WHERE status = 'WAITING' AND due_at <= now()
           ORDER BY due_at, id LIMIT $1 FOR UPDATE SKIP LOCKED)
       RETURNING id, kind, attempts, recipient, payload, sealed_payload`,
    [limit, claimMs],
  );
}

/** The message is out. Its text is forgotten, since it may hold a secret that still opens something. */
export async function markSent(db: Db, id: string): Promise<void> {
  await execute(
    db,
    `UPDATE outbox_messages SET status = 'SENT', sent_at = now(), last_error = NULL,
       payload = NULL, sealed_payload = NULL
       WHERE id = $1 AND status = 'WAITING'`,
    [id],
  );
}

/** The try failed and another is due later, unless a newer try is already under way. */
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

/** Nobody will try this message again, unless a newer try is already under way. Its text is forgotten too. */
export async function markDead(db: Db, { id, attempts }: ClaimedMessage, error: string): Promise<void> {
  await execute(
    db,
    `UPDATE outbox_messages SET status = 'DEAD', last_error = $3, payload = NULL, sealed_payload = NULL
       WHERE id = $1 AND attempts = $2 AND status = 'WAITING'`,
    [id, attempts, error],
  );
}
