import type { KeyRing, Mac } from '../../sealing/key-ring';
import { canonical, type Json } from './canonical-json';

/** The part of a record that its hash covers, besides the previous hash. */
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

/** The previous hash of the first record. */
export const FIRST_HASH = '0'.repeat(64);

const PURPOSE = 'audit';
const HEAD_PURPOSE = 'audit-head';

const linked = (previousHash: string, content: AuditContent): Buffer =>
  Buffer.from(previousHash + canonical({ ...content }));

/** The link of a new record to all records before it, which only holders of the sealing keys can make. */
export const chainMac = (keys: KeyRing, previousHash: string, content: AuditContent): Mac =>
  keys.mac(linked(previousHash, content), PURPOSE);

/** The expected hash under a key of this name; null for an unknown key. */
export const chainHash = (
  keys: KeyRing,
  keyId: string,
  previousHash: string,
  content: AuditContent,
): string | null => keys.macUnder(keyId, linked(previousHash, content), PURPOSE);

/** The end of the trail at a check that found it whole. */
export interface Head {
  sequence: number;
  recordId: string;
  hash: string;
  /** The number of records up to this one. */
  count: number;
  keptAt: Date;
}

const headBytes = ({ sequence, recordId, hash, count, keptAt }: Head): Buffer =>
  Buffer.from(canonical({ sequence, recordId, hash, count, keptAt: keptAt.toISOString() }));

/** Authenticates a head, so that nobody who removes the end of the trail can forge an earlier head. */
export const headMac = (keys: KeyRing, head: Head): Mac => keys.mac(headBytes(head), HEAD_PURPOSE);

export const isGenuine = (keys: KeyRing, head: Head & Mac): boolean =>
  keys.macUnder(head.keyId, headBytes(head), HEAD_PURPOSE) === head.mac;
