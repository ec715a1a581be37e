import type { Attributes } from 'sequelize';
import { firstRow, rows, type Db } from '../../sql/query';
import type { ContentGone, OutboxMessage } from './outbox-message.model';

/** A message that was given up, without its content. */
export type DeadMessage = Pick<
  Attributes<OutboxMessage>,
  'id' | 'kind' | 'reference' | 'recipient' | 'attempts' | 'lastError' | 'createdAt'
> & {
  deadAt: Date;
  /** Why it cannot be sent again; null: it can. */
  gone: ContentGone | null;
};

/** SQL for a message that was given up and can be sent again, so that a person can do something about it. */
export const RESENDABLE = `status = 'DEAD' AND sealed_payload IS NOT NULL`;

/** The columns of a message that is DEAD. */
export const DEAD_MESSAGE = `id, kind, reference, recipient, attempts, last_error, created_at, dead_at, content_gone AS gone`;

/** Messages that are counted at least, if so many match; on a later page, those up to the next page. */
const MOST_COUNTED = 10_000;

export interface DeadMessageFilter {
  /** Null: any. */
  kind: OutboxMessage['kind'] | null;
  /** True: those that can be sent again; false: all others; null: all. */
  resendable: boolean | null;
}

/** One page of the messages that fit, newest first; `total` counts them, up to a bound that no page reaches. */
export async function deadMessages(
  db: Db,
  { kind, resendable }: DeadMessageFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; messages: DeadMessage[] }> {
  const bind = kind === null ? [] : [kind];
  const conditions = [
    `status = 'DEAD'`,
    ...(kind === null ? [] : ['kind = $1']),
    ...(resendable === null ? [] : [resendable ? `(${RESENDABLE})` : `NOT (${RESENDABLE})`]),
  ];
  const matching = `FROM outbox_messages WHERE ${conditions.join(' AND ')}`;
  const bound = Math.max(MOST_COUNTED, offset + limit + 1);
  const counted = await firstRow<{ total: number }>(
    db,
    `SELECT count(*)::int AS total FROM (SELECT 1 ${matching} LIMIT ${bound}) AS counted`,
    bind,
  );
  const messages = await rows<DeadMessage>(
    db,
    `SELECT ${DEAD_MESSAGE} ${matching} ORDER BY id DESC LIMIT $${bind.length + 1} OFFSET $${bind.length + 2}`,
    [...bind, limit, offset],
  );
  return { total: counted?.total ?? 0, messages };
}
