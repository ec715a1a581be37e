import { rows, type Db } from '../sql';
import { chainHash, FIRST_HASH, type AuditContent } from './audit-chain';

export interface ChainState {
  valid: boolean;
  /** Records that were found in order. */
  checked: number;
  /** The first record that does not follow from the one before it: altered itself, or after one that is gone. */
  brokenAt: string | null;
}

interface Link extends Omit<AuditContent, 'createdAt'> {
  sequence: number;
  createdAt: Date;
  previousHash: string;
  hash: string;
}

/** Recomputes the audit trail's hashes from its first record, in bounded memory. */
export async function verifyAuditChain(db: Db, batchSize = 1_000): Promise<ChainState> {
  let checked = 0;
  let hash = FIRST_HASH;
  for (let after = 0, more = true; more;) {
    const links = await linksAfter(db, after, batchSize);
    for (const link of links) {
      if (!follows(link, hash)) return { valid: false, checked, brokenAt: link.id };
      ({ hash, sequence: after } = link);
      checked++;
    }
    more = links.length === batchSize;
  }
  return { valid: true, checked, brokenAt: null };
}

function follows(
  { sequence: _, previousHash, hash, createdAt, ...content }: Link,
  expected: string,
): boolean {
  return (
    previousHash === expected &&
    hash === chainHash(previousHash, { ...content, createdAt: createdAt.toISOString() })
  );
}

async function linksAfter(db: Db, sequence: number, limit: number): Promise<Link[]> {
  return rows<Link>(
    db,
    `SELECT sequence, id, actor_id AS "actorId", action, entity_type AS "entityType", entity_id AS "entityId",
            previous, next, client_address AS "clientAddress", created_at AS "createdAt",
            previous_hash AS "previousHash", hash
       FROM audit_records WHERE sequence > $1 ORDER BY sequence LIMIT $2`,
    [sequence, limit],
  );
}
