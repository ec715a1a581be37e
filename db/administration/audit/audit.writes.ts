import { v7 } from 'uuid';
import { execute, firstRow, type Tx } from '../../sql/query';
import { keysOf } from '../../sealing/keys-of';
import { chainMac, FIRST_HASH, type AuditContent } from './audit-chain';
import { entityOf, type AuditedAction } from './audit-vocabulary';
import { auditValue } from './audit-values';
import type { Json } from './canonical-json';
import { changedFields } from './changed-fields';

/** An arbitrary number, different from that of every other advisory lock. */
const CHAIN_LOCK = 7_310_212;

/** A change of the entity that the action is on. */
export interface Change {
  /** Null when the platform itself acted. */
  actorId: string | null;
  action: AuditedAction;
  entityId: string;
  /** The changed fields before and after. Secrets and personal data are replaced before they are stored. */
  previous: unknown;
  next: unknown;
  clientAddress: string | null;
  at: Date;
}

/** The person who changes something, from where, and when; by default now. */
export type ChangedBy = Pick<Change, 'actorId' | 'clientAddress'> & { at?: Date };

/**
 * Records what an administrator has changed, as `recordAudit` does: the fields of `before` and `after` that differ, and on
 * both sides those of `shown`, changed or not, such as the id of the part that was changed. Without a difference nothing is
 * written. `before` null: something was made, or read.
 */
export async function audited(
  tx: Tx,
  { actorId, clientAddress, at = new Date() }: ChangedBy,
  action: AuditedAction,
  entityId: string,
  before: object | null,
  after: object,
  shown: object = {},
): Promise<void> {
  const change = before === null ? { previous: null, next: after } : changedFields(before, after);
  if (!change) return;
  const previous = change.previous && { ...shown, ...change.previous };
  const next = { ...shown, ...change.next };
  await recordAudit(tx, { actorId, clientAddress, at, action, entityId, previous, next });
}

/**
 * Records a change in the transaction that makes it. It holds the audit trail's lock until the commit, so it should be
 * the transaction's last statement.
 */
export async function recordAudit(tx: Tx, { previous, next, at, ...change }: Change): Promise<void> {
  const keys = keysOf(tx);
  const entityType = entityOf(change.action);
  const content: AuditContent = {
    id: v7(),
    actorId: change.actorId,
    action: change.action,
    entityType,
    entityId: change.entityId,
    previous: auditValue(previous, entityType, keys),
    next: auditValue(next, entityType, keys),
    clientAddress: change.clientAddress,
    createdAt: at.toISOString(),
  };
  await execute(tx, `SELECT pg_advisory_xact_lock(${CHAIN_LOCK})`);
  // A separate statement: only one that begins after the lock was granted sees the last holder's commit.
  const last = await firstRow<{ hash: string }>(
    tx,
    'SELECT hash FROM audit_records ORDER BY sequence DESC LIMIT 1',
  );
  await insertRecord(tx, content, last?.hash ?? FIRST_HASH);
}

async function insertRecord(tx: Tx, content: AuditContent, previousHash: string): Promise<void> {
  const link = chainMac(keysOf(tx), previousHash, content);
  await execute(
    tx,
    `INSERT INTO audit_records (id, actor_id, action, entity_type, entity_id, previous, next, client_address,
       created_at, previous_hash, hash, key_id)
       VALUES ($1, $2, $3, $4, $5, $6::jsonb, $7::jsonb, $8, $9, $10, $11, $12)`,
    [
      content.id,
      content.actorId,
      content.action,
      content.entityType,
      content.entityId,
      asJsonb(content.previous),
      asJsonb(content.next),
      content.clientAddress,
      content.createdAt,
      previousHash,
      link.mac,
      link.keyId,
    ],
  );
}

const asJsonb = (value: Json): string | null => (value === null ? null : JSON.stringify(value));
