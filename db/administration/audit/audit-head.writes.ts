import { keysOf } from '../../sealing/keys-of';
import { execute, type Tx } from '../../sql/query';
import { headMac, type Head } from './audit-chain';
import { verifySinceLastHead } from './audit.reads';

/**
 * Verifies the audit trail from the last stored head and stores its present end as the head of `at`. Returns the head; null
 * without records or when a newer record does not follow.
 */
export async function keepAuditHead(tx: Tx, at: Date): Promise<Head | null> {
  const { state, end } = await verifySinceLastHead(tx);
  if (!state.valid || !end) return null;
  const head = { ...end, keptAt: at };
  const { keyId, mac } = headMac(keysOf(tx), head);
  await execute(
    tx,
    `INSERT INTO audit_heads (sequence, record_id, hash, count, kept_at, key_id, mac)
       SELECT $1, $2, $3, $4, $5, $6, $7
       WHERE NOT EXISTS (SELECT 1 FROM audit_heads WHERE sequence >= $1)`,
    [head.sequence, head.recordId, head.hash, head.count, head.keptAt, keyId, mac],
  );
  return head;
}
