import type { Attributes } from 'sequelize';
import { User } from '../../identity/user/user.model';
import { firstRow, rows, type Db } from '../../sql/query';
import { table } from '../../sql/table';
import { UUID_PATTERN } from '../../../workflows/kit/values/uuid.rules';
import type { AuditRecord } from './audit-record.model';
import { until } from '../../sql/until';

/** Conditions on records; an omitted one does not narrow. Moments are inclusive. */
export interface AuditFilter {
  /** The accounts of which one acted. */
  actorIds?: readonly string[] | undefined;
  action?: string | undefined;
  entityType?: string | undefined;
  entityId?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

export type AuditRecordView = Pick<
  Attributes<AuditRecord>,
  'id' | 'actorId' | 'action' | 'entityType' | 'entityId' | 'clientAddress' | 'createdAt' | 'hash'
> & {
  /** Null when the actor's account is deleted. */
  actorEmail: string | null;
  previous: unknown;
  next: unknown;
};

/** One page of the audit trail, newest first; `total` counts all records that match. */
export async function auditRecords(
  db: Db,
  filter: AuditFilter,
  page: { limit: number; offset: number },
): Promise<{ total: number; records: AuditRecordView[] }> {
  const values: unknown[] = [];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const where = conditionsOf(filter, bind);
  const counted = await firstRow<{ total: number }>(
    db,
    `SELECT count(*)::int AS total FROM audit_records a WHERE ${where}`,
    values,
  );
  const records = await rows<AuditRecordView>(
    db,
    `SELECT a.id, a.actor_id, u.email AS actor_email, a.action, a.entity_type,
            a.entity_id, a.previous, a.next, a.client_address,
            a.created_at, a.hash
       FROM audit_records a LEFT JOIN users u ON u.id = a.actor_id
      WHERE ${where} ORDER BY a.sequence DESC LIMIT ${bind(page.limit)} OFFSET ${bind(page.offset)}`,
    values,
  );
  return { total: counted?.total ?? 0, records };
}

function conditionsOf(filter: AuditFilter, bind: (value: unknown) => string): string {
  const { actorIds, action, entityType, entityId, from, to } = filter;
  const conditions = ['true'];
  if (actorIds !== undefined) conditions.push(`a.actor_id = ANY (${bind(actorIds)}::uuid[])`);
  if (action !== undefined) conditions.push(`a.action = ${bind(action)}`);
  if (entityType === 'order' && entityId !== undefined) conditions.push(ofOrder(`${bind(entityId)}::text`));
  else {
    if (entityType !== undefined) conditions.push(`a.entity_type = ${bind(entityType)}`);
    if (entityId !== undefined) conditions.push(`a.entity_id = ${bind(entityId)}`);
  }
  if (from !== undefined) conditions.push(`a.created_at >= ${bind(from)}`);
  if (to !== undefined) conditions.push(until('a.created_at', bind(to)));
  return conditions.join(' AND ');
}

/** The records of an order, with the decisions about its processes; early ones do not name the order, but have its id. */
const ofOrder = (order: string): string => `(a.entity_type = 'order' AND a.entity_id = ${order}
  OR a.entity_type = 'process' AND a.next ->> 'orderId' = ${order}
  OR a.entity_type = 'process' AND a.entity_id = ANY (ARRAY(
    SELECT kind || ${order} FROM unnest('{checkout:,fulfilment:}'::text[]) AS kind
    UNION ALL SELECT 'payment-refund:' || r.id FROM payment_refunds r WHERE r.order_id = ${asUuid(order)}
    UNION ALL SELECT 'refund:' || r.id FROM refund_requests r WHERE r.order_id = ${asUuid(order)})))`;

/** SQL for a text as a UUID; null for any other text. */
const asUuid = (value: string): string => `CASE WHEN ${value} ~ '^${UUID_PATTERN}$' THEN ${value}::uuid END`;

/** The ids of the accounts with an email address: at most one for each region. */
export const accountsOfEmail = async (
  db: Db,
  regions: readonly Attributes<User>['region'][],
  email: string,
): Promise<string[]> => (await table(db, User).all(['id'], { region: regions, email })).map(({ id }) => id);
