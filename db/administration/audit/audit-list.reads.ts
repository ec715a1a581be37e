import { firstRow, rows, type Db } from '../../sql/query';

/** Which records; what is left out does not narrow. Moments are inclusive. */
export interface AuditFilter {
  actorId?: string | undefined;
  action?: string | undefined;
  entityType?: string | undefined;
  entityId?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

export interface AuditRecordView {
  id: string;
  /** Null when the platform itself acted. */
  actorId: string | null;
  /** Null when the actor's account is gone. */
  actorEmail: string | null;
  action: string;
  entityType: string;
  entityId: string;
  previous: unknown;
  next: unknown;
  clientAddress: string | null;
  createdAt: Date;
  hash: string;
}

/** One page of the audit trail, newest first; `total` counts all that the filter lets through. */
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
  if (to !== undefined) conditions.push(`a.created_at <= ${bind(to)}`);
  return conditions.join(' AND ');
}
