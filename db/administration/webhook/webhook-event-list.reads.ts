import type { Attributes } from 'sequelize';
import { firstRow, rows, type Db } from '../../sql/query';
import type { WebhookEvent } from './webhook-event.model';
import type { WebhookKind } from './webhook-event.reads';

/** A report as administrators read it: without its body, which has personal data. */
export type ListedWebhookEvent = Pick<
  Attributes<WebhookEvent>,
  | 'id'
  | 'kind'
  | 'provider'
  | 'externalEventId'
  | 'type'
  | 'status'
  | 'attempts'
  | 'lastError'
  | 'receivedAt'
  | 'processedAt'
>;

/** Conditions on reports; one that is null does not narrow. `to` belongs to the period. */
export interface WebhookEventFilter {
  provider: string | null;
  status: WebhookEvent['status'] | null;
  type: string | null;
  kind: WebhookKind | null;
  from: Date | null;
  to: Date | null;
}

/** Reports that are counted at least, if so many match; on a later page, those up to the next page. */
const MOST_COUNTED = 10_000;

/** One page of the reports, newest first; `total` counts those that match, up to a bound that no page reaches. */
export async function listWebhookEvents(
  db: Db,
  filter: WebhookEventFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; events: ListedWebhookEvent[] }> {
  const values: unknown[] = [];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const matching = `FROM webhook_events WHERE ${conditionsOf(filter, bind)}`;
  const bound = Math.max(MOST_COUNTED, offset + limit + 1);
  const counted = await firstRow<{ total: number }>(
    db,
    `SELECT count(*)::int AS total FROM (SELECT 1 ${matching} LIMIT ${bound}) AS counted`,
    values,
  );
  const events = await rows<ListedWebhookEvent>(
    db,
    `SELECT id, kind, provider, external_event_id, type, status, attempts, last_error, received_at, processed_at
     ${matching} ORDER BY received_at DESC, id DESC LIMIT ${bind(limit)} OFFSET ${bind(offset)}`,
    values,
  );
  return { total: counted?.total ?? 0, events };
}

function conditionsOf(
  { provider, status, type, kind, from, to }: WebhookEventFilter,
  bind: (value: unknown) => string,
): string {
  const conditions = ['true'];
  if (provider !== null) conditions.push(`provider = ${bind(provider)}`);
  if (status !== null) conditions.push(`status = ${bind(status)}`);
  if (type !== null) conditions.push(`type = ${bind(type)}`);
  if (kind !== null) conditions.push(`kind = ${bind(kind)}`);
  if (from !== null) conditions.push(`received_at >= ${bind(from)}`);
  if (to !== null) conditions.push(`received_at <= ${bind(to)}`);
  return conditions.join(' AND ');
}
