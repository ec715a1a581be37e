import { createHash } from 'node:crypto';
import type { KeyRing, Mac } from '../../sealing/key-ring';
import { canonical, type Json } from './canonical-json';

/** A record as its hash covers it. */
export interface AuditContent {
  id: string;
  actorId: string | null;
  action: string;
  entityType: string;
  entityId: string;
  previous: Json;
  next: Json;
  clientAddress: string | null;
  /** ISO 8601, to the millisecond. */
  createdAt: string;
}

/** What stands before the first record. */
export const FIRST_HASH = '0'.repeat(64);

const PURPOSE = 'audit';
const HEAD_PURPOSE = 'audit-head';

const linked = (previousHash: string, content: AuditContent): Buffer =>
  Buffer.from(previousHash + canonical({ ...content }));

/** The link of a new record to all the records before it: nobody without the sealing keys can make one. */
export const chainMac = (keys: KeyRing, previousHash: string, content: AuditContent): Mac =>
  keys.mac(linked(previousHash, content), PURPOSE);

/** The same under a key that may have been replaced since, or, with null, without one, as links were made at first. */
export function chainHash(
  keys: KeyRing,
  keyId: string | null,
  previousHash: string,
  content: AuditContent,
): string | null {
  const bytes = linked(previousHash, content);
  return keyId === null
    ? createHash('sha256').update(bytes).digest('hex')
    : keys.macUnder(keyId, bytes, PURPOSE);
}

/** Where the trail ended when it was last found whole. */
export interface Head {
  sequence: number;
  recordId: string;
  hash: string;
  /** Records up to this one. */
  count: number;
  keptAt: Date;
}

const headBytes = ({ sequence, recordId, hash, count, keptAt }: Head): Buffer =>
  Buffer.from(canonical({ sequence, recordId, hash, count, keptAt: keptAt.toISOString() }));

/** Vouches for a head, so that whoever cuts the trail's end off cannot make an earlier one. */
export const headMac = (keys: KeyRing, head: Head): Mac => keys.mac(headBytes(head), HEAD_PURPOSE);

export const isGenuine = (
  keys: KeyRing,
  head: Head & { keyId: string | null; mac: string | null },
): boolean =>
  head.keyId !== null &&
  head.mac !== null &&
  keys.macUnder(head.keyId, headBytes(head), HEAD_PURPOSE) === head.mac;
