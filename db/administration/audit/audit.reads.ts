import type { Attributes } from 'sequelize';
import { keysOf } from '../../sealing/keys-of';
import { firstRow, rows, type Db } from '../../sql/query';
import { chainHash, FIRST_HASH, isGenuine, type AuditContent, type Head } from './audit-chain';
import type { AuditHead } from './audit-head.model';
import type { AuditRecord } from './audit-record.model';

export interface ChainState {
  valid: boolean;
  /** The number of records that follow from the one before. */
  checked: number;
  /**
   * The first record that does not follow from the one before it: it was altered, or its predecessor removed. The last
   * record of an earlier check, if the end was removed.
   */
  brokenAt: string | null;
}

type Link = Omit<AuditContent, 'createdAt'> &
  Pick<Attributes<AuditRecord>, 'sequence' | 'createdAt' | 'keyId' | 'previousHash' | 'hash'>;

type StoredHead = Omit<Attributes<AuditHead>, 'id'>;

/** Verifies the audit trail from its first record, through the last stored head, to its end, in bounded memory. */
export async function verifyAuditChain(db: Db, batchSize = 1_000): Promise<ChainState> {
  const head = await lastHead(db);
  if (head && !isGenuine(keysOf(db), head)) return { valid: false, checked: 0, brokenAt: head.recordId };
  return (await follow(db, { from: BEGINNING, milestone: head, batchSize })).state;
}

/** Verifies the records since the last stored head; returns the new end as well, null without records. */
export async function verifySinceLastHead(
  db: Db,
): Promise<{ state: ChainState; end: Omit<Head, 'keptAt'> | null }> {
  const head = await lastHead(db);
  if (!head) return follow(db, { from: BEGINNING, milestone: null, batchSize: 1_000 });
  const isKept = await firstRow(db, 'SELECT 1 FROM audit_records WHERE sequence = $1 AND hash = $2', [
    head.sequence,
    head.hash,
  ]);
  if (!isKept || !isGenuine(keysOf(db), head))
    return { state: { valid: false, checked: 0, brokenAt: head.recordId }, end: null };
  return follow(db, { from: head, milestone: null, batchSize: 1_000 });
}

interface Walk {
  from: Pick<Head, 'sequence' | 'hash' | 'count'> & Partial<Head>;
  /** An earlier end of the trail, which it must still contain; null: none is known. */
  milestone: Head | null;
  batchSize: number;
}

const BEGINNING = { sequence: 0, hash: FIRST_HASH, count: 0 };

async function follow(
  db: Db,
  { from, milestone, batchSize }: Walk,
): Promise<{ state: ChainState; end: Omit<Head, 'keptAt'> | null }> {
  const keys = keysOf(db);
  let { sequence: after, hash, count } = from;
  let recordId = from.recordId ?? null;
  let ahead = milestone;
  const brokenAt = (id: string) => ({ state: { valid: false, checked: count, brokenAt: id }, end: null });
  for (let more = true; more;) {
    const links = await linksAfter(db, after, batchSize);
    for (const link of links) {
      if (ahead && ahead.sequence < link.sequence) return brokenAt(ahead.recordId);
      if (link.previousHash !== hash || link.hash !== chainHash(keys, link.keyId, hash, contentOf(link)))
        return brokenAt(link.id);
      count++;
      if (ahead?.sequence === link.sequence) {
        if (ahead.hash !== link.hash || ahead.count !== count) return brokenAt(link.id);
        ahead = null;
      }
      ({ hash, sequence: after, id: recordId } = link);
    }
    more = links.length === batchSize;
  }
  if (ahead) return brokenAt(ahead.recordId);
  return {
    state: { valid: true, checked: count, brokenAt: null },
    end: recordId === null ? null : { sequence: after, recordId, hash, count },
  };
}

/** The part of a link that its hash covers, besides the previous hash. */
export function contentOf({
  sequence: _s,
  keyId: _k,
  previousHash: _p,
  hash: _h,
  createdAt,
  ...content
}: Link): AuditContent {
  return { ...content, createdAt: createdAt.toISOString() };
}

/** The last stored head; null if there is none. */
export const lastHead = (db: Db): Promise<StoredHead | null> =>
  firstRow<StoredHead>(
    db,
    `SELECT sequence, record_id, hash, count, kept_at, key_id, mac FROM audit_heads ORDER BY id DESC LIMIT 1`,
  );

const LINK_COLUMNS = `sequence, id, actor_id, action, entity_type,
  entity_id, previous, next, client_address, created_at,
  key_id, previous_hash, hash`;

const linksAfter = (db: Db, sequence: number, limit: number): Promise<Link[]> =>
  rows<Link>(db, `SELECT ${LINK_COLUMNS} FROM audit_records WHERE sequence > $1 ORDER BY sequence LIMIT $2`, [
    sequence,
    limit,
  ]);

/** The newest record; null if there is none. */
export const lastLink = (db: Db): Promise<Link | null> =>
  firstRow<Link>(db, `SELECT ${LINK_COLUMNS} FROM audit_records ORDER BY sequence DESC LIMIT 1`);
