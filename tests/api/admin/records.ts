import { rows } from '../../../db/sql/query';
import type { AdminWorld } from './admin-world';

interface AuditRecord {
  actorId: string;
  action: string;
  previous: Record<string, unknown> | null;
  next: Record<string, unknown>;
}

/** The audit records of one entity, in order. */
export const recordsOf = (
  { world }: AdminWorld,
  entityType: string,
  entityId: string,
): Promise<AuditRecord[]> =>
  rows<AuditRecord>(
    world.db,
    `SELECT actor_id, action, previous, next FROM audit_records
      WHERE entity_type = $1 AND entity_id = $2 ORDER BY sequence`,
    [entityType, entityId],
  );
