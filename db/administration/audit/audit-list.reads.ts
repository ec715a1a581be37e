import type { Attributes } from 'sequelize';
import { firstRow, rows, type Db } from '../../sql/query';
import type { AuditRecord } from './audit-record.model';
import { until } from '../../sql/until';

/** Conditions on records; an omitted one does not narrow. Moments are inclusive. */
export interface AuditFilter {
  actorId?: string | undefined;
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
  const { actorId, action, entityType, entityId, from, to } = filter;
  const conditions = ['true'];
  if (actorId !== undefined) conditions.push(`a.actor_id = ${bind(actorId)}`);
  if (action !== undefined) conditions.push(`a.action = ${bind(action)}`);
  if (entityType !== undefined) conditions.push(`a.entity_type = ${bind(entityType)}`);
  if (entityId !== undefined) conditions.push(`a.entity_id = ${bind(entityId)}`);
  if (from !== undefined) conditions.push(`a.created_at >= ${bind(from)}`);
  if (to !== undefined) conditions.push(until('a.created_at', bind(to)));
  return conditions.join(' AND ');
}
