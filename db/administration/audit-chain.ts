import { createHash } from 'node:crypto';

/** Anything that JSON can say. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

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

/** The link of a record to all the records before it. */
export function chainHash(previousHash: string, content: AuditContent): string {
  return createHash('sha256')
    .update(previousHash + canonical({ ...content }))
    .digest('hex');
}

/** One text per value: names sorted, nothing between. The database keeps JSON, but not the text it came as. */
function canonical(value: Json): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const members = Object.keys(value).sort();
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonical(value[name] ?? null)}`).join(',')}}`;
}

const SECRET =
  /password|secret|token|hash|authorization|cookie|api_?key|private_?key|card_?number|cvc|cvv|iban|account_?number|wallet_?id|backup_?codes|(two_?factor|totp|verification|otp)_?code/i;

/** The value as JSON keeps it, with everything blacked out that nobody may read in an audit trail. */
export function redacted(value: unknown): Json {
  if (value === undefined) return null;
  const hide = (name: string, member: unknown): unknown =>
    SECRET.test(name) && member !== null ? '[redacted]' : member;
  return JSON.parse(JSON.stringify(value, hide)) as Json;
}
