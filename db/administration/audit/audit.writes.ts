import { v7 } from 'uuid';
import { execute, firstRow, type Tx } from '../../sql/query';
import { keysOf } from '../../sealing/keys-of';
import { chainMac, FIRST_HASH, type AuditContent } from './audit-chain';
import { auditValue } from './audit-values';
import type { Json } from './canonical-json';

/** Any number, as long as nothing else takes an advisory lock of it. */
const CHAIN_LOCK = 7_310_212;

export interface Change {
  /** Null when the platform itself acted. */
  actorId: string | null;
  /** What was done, such as `user.suspend`. */
  action: string;
  entityType: string;
  entityId: string;
  /** What stood before and what stands now: the fields that changed. Secrets and personal data are hidden here. */
  previous: unknown;
  next: unknown;
  clientAddress: string | null;
  at: Date;
}

/**
 * Records a change in the transaction that makes it. From here to the commit nobody else can record one, so let it be
 * the transaction's last statement.
 */
export async function recordAudit(tx: Tx, { previous, next, at, ...change }: Change): Promise<void> {
  const keys = keysOf(tx);
  const content: AuditContent = {
    id: v7(),
    actorId: change.actorId,
    action: change.action,
    entityType: change.entityType,
    entityId: change.entityId,
    previous: auditValue(previous, change.entityType, keys),
    next: auditValue(next, change.entityType, keys),
    clientAddress: change.clientAddress,
    createdAt: at.toISOString(),
  };
  await execute(tx, `SELECT pg_advisory_xact_lock(${CHAIN_LOCK})`);
  // A statement of its own: only one that begins after the lock was granted sees what the last holder committed.
  const last = await firstRow<{ hash: string }>(
    tx,
    'SELECT hash FROM audit_records ORDER BY sequence DESC LIMIT 1',
  );
  await insert(tx, content, last?.hash ?? FIRST_HASH);
}

async function insert(tx: Tx, content: AuditContent, previousHash: string): Promise<void> {
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
